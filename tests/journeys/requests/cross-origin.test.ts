import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listForms } from "#tests/support/app/forms.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const baseUrl = "http://localhost:3000";
const type = "application/x-www-form-urlencoded";

// Origins that resemble ours are tested in own-origin.test.ts.
test("rejects every form that isn't on our own page, without a change", async () => {
  const { signedIn, services, mails } = await createTestApp();
  const ada = await signedIn();
  await userIdOf(ada);
  const cardId = await makeCard(ada);
  const { db } = services;
  const stored = async () => [
    await db.selectFrom("profile").selectAll().execute(),
    await db.selectFrom("card").selectAll().execute(),
    await db.selectFrom("attempt").selectAll().execute(),
    await db.selectFrom("hourly_count").selectAll().execute(),
    (await mails()).length,
  ];
  const before = await stored();
  const expectRejected = async (path: string, headers: Record<string, string>, body: string) => {
    const response = await ada.request(path, { method: "POST", headers: { "content-type": type, ...headers }, body });
    expect(response.status, `${path} ${JSON.stringify(headers)}`).toBe(403);
    expect(await response.text()).toContain("didn't come from a page on this site");
    expect(response.headers.getSetCookie()).toEqual([]);
  };
  const evil = { origin: "https://evil.example" };
  for (const { path, fields } of listForms(cardId))
    await expectRejected(path, evil, new URLSearchParams(fields).toString());
  const others: Record<string, string>[] = [
    evil,
    { origin: "null" },
    {},
    { origin: "localhost:3000" },
    { ...evil, referer: `${baseUrl}/profile` },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of others) {
    await expectRejected("/auth/sign-out", headers, "");
    await expectRejected("/count", headers, JSON.stringify({ subject: `card:${cardId}`, target: "x" }));
    await expectRejected(`/cards/edit/${cardId}.data`, headers, "company=Changed");
    await expectRejected("/profile.data", headers, "displayName=Changed");
  }
  expect(await stored()).toEqual(before);
  // Still signed in, because signing out is a form too.
  expect((await ada.get("/profile")).status).toBe(200);
});

test("accepts a form from our own page by Sec-Fetch-Site alone", async () => {
  const ada = await (await createTestApp()).signedIn();
  const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
  const response = await ada.request("/auth/sign-out", { method: "POST", headers, body: "" });
  expect(response.headers.get("location")).toBe("/auth");
});

test("accepts forms behind a proxy that terminates TLS, whatever Host it sends", async () => {
  const origin = "https://cards.example.com";
  const { app } = await createTestApp({ env: { BASE_URL: origin, SMTP_URL: "smtp://127.0.0.1:1" } });
  const body = "intent=log-in&email=ada@example.com&password=wrong";
  for (const host of ["cards.example.com", "127.0.0.1:3000", "meishi.internal:8080"]) {
    for (const path of ["/auth", "/auth.data"]) {
      const headers = { origin, "content-type": type, host };
      const response = await app.request(`http://${host}${path}`, { method: "POST", headers, body });
      expect(await response.text(), `${host}${path}`).toContain("Invalid email or password.");
    }
  }
});
