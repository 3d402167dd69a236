import { expect, vi } from "vitest";

import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

export const twoStep = "/account/two-step";

/** An app whose clock stands still, until `advance` moves it. */
export async function createStillApp(env: Record<string, string> = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const app = await createTestApp({ env });
  return { ...app, advance };
}

export function advance(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

/** A visitor signed in just now, so that sensitive changes need no new proof. */
export async function signInNow(app: TestApp, email = "ada@example.com") {
  const { password } = await app.signedIn(email);
  const visitor = app.visitor();
  await visitor.post("/auth", { intent: "log-in", email, password });
  return { ...visitor, email, password };
}

/** The same, with an authenticator app. `code` is the current one; each is accepted once. */
export async function signInWithApp(app: TestApp, email = "ada@example.com") {
  const user = await signInNow(app, email);
  const key = await startApp(user);
  const page = await (await user.post(`${twoStep}/app`, { code: codeOf(key) })).text();
  const codes = readBackupCodes(page);
  expect(codes).toHaveLength(10);
  return { ...user, key, codes, code: (skew = 0) => codeOf(key, skew) };
}

/** Begins to set up an app and returns its key. */
export async function startApp(user: Visitor): Promise<string> {
  const started = await user.post(twoStep, { intent: "start-app" });
  expect(started.headers.get("location")).toBe(`${twoStep}/app`);
  const page = await (await user.get(`${twoStep}/app`)).text();
  return (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
}

export function readBackupCodes(page: string): string[] {
  return [...page.matchAll(/<li[^>]*>([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<\/li>/g)].map(([, code = ""]) => code);
}

/** The first step of a sign-in, in a new browser. */
export async function passFirstStep(app: TestApp, { email, password }: { email: string; password: string }) {
  const visitor = app.visitor();
  const response = await visitor.post("/auth?returnTo=%2Fcards%2Fedit", { intent: "log-in", email, password });
  expect(response.headers.get("location")).toBe("/auth/verify?returnTo=%2Fcards%2Fedit");
  return visitor;
}

export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/account")).status === 200;
}
