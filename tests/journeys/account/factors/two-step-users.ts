import { expect, vi } from "vitest";

import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { signedInNow } from "#tests/support/providers/provider-visits.ts";

export const twoStep = "/account/two-step";

/** An app whose clock stands still, until `advance` moves it. */
export async function createStillApp(env: Record<string, string> = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  return { ...(await createTestApp({ env })), advance };
}

export function advance(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

/** A user with an authenticator app, signed in just now. `code` is the current one; each is accepted once. */
export async function signInWithApp(app: TestApp, email = "ada@example.com") {
  const user = await signedInNow(app, email);
  const key = await startApp(user);
  const page = await (await user.post(`${twoStep}/app`, { code: codeOf(key) })).text();
  const codes = readBackupCodes(page);
  expect(codes).toHaveLength(10);
  return { ...user, key, codes, code: (skew = 0) => codeOf(key, skew) };
}

/** The same in an app of its own, after the code that set up the app has expired. */
export async function openWithApp(env: Record<string, string> = {}) {
  const app = await createStillApp(env);
  const ada = await signInWithApp(app);
  advance(30);
  return { app, ada };
}

/** Begins to set up an app and returns its key. */
export async function startApp(user: Visitor): Promise<string> {
  const started = await user.post(twoStep, { intent: "start-app" });
  expect(locationOf(started)).toBe(`${twoStep}/app`);
  const page = await readPage(user, `${twoStep}/app`);
  return (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
}

export function readBackupCodes(page: string): string[] {
  return [...page.matchAll(/<li[^>]*>([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})<\/li>/g)].map(([, code = ""]) => code);
}

/** The first step of a sign-in, in a new browser. */
export async function passFirstStep(app: TestApp, user: { email: string; password: string }) {
  const visitor = app.visitor();
  const response = await logIn(visitor, user, { returnTo: "/cards/edit" });
  expect(locationOf(response)).toBe("/auth/verify?returnTo=%2Fcards%2Fedit");
  return visitor;
}

type CodeForm = { kind?: string; trust?: string; network?: number };

/** Answers the second step with a code; returns the status. */
export async function sendCode(visitor: Visitor, code = "", { network = 1, ...fields }: CodeForm = {}) {
  const headers = { "x-forwarded-for": `198.51.100.${network}` };
  return (await visitor.post("/auth/verify", { code, ...fields }, headers)).status;
}
