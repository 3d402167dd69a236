import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listForms } from "#tests/support/app/forms.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const baseUrl = "http://localhost:3000";
const type = "application/x-www-form-urlencoded";

/** The headers of requests whose form is not on our own page. */
const foreignOrigins: Record<string, Record<string, string>> = {
  "another site": { origin: "https://evil.example" },
  "a sandboxed frame or a file": { origin: "null" },
  "no word of where it comes from": {},
  "a site with our name in its own": { origin: "http://localhost:3000.evil.example" },
  "another port of this machine": { origin: "http://localhost:3001" },
  "a value that isn't an origin": { origin: "localhost:3000" },
  "another site that names us as referrer": { origin: "https://evil.example", referer: `${baseUrl}/profile` },
  "a page beside ours (same site)": { "sec-fetch-site": "same-site" },
  "the address bar": { "sec-fetch-site": "none" },
};

test.each(Object.entries(foreignOrigins))("rejects every form from %s, without a change", async (_, said) => {
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
  const click = JSON.stringify({ subject: `card:${cardId}`, target: "x" });
  const posts = [
    ...listForms(cardId).map(({ path, fields }) => ({ path, body: new URLSearchParams(fields).toString() })),
    { path: "/count", body: click },
    { path: `/cards/edit/${cardId}.data`, body: "company=Changed" },
    { path: "/profile.data", body: "displayName=Changed" },
  ];
  for (const { path, body } of posts) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await ada.request(path, { method, headers: { "content-type": type, ...said }, body });
      expect(answer.status, `${method} ${path}`).toBe(method === "POST" ? 403 : 405);
      if (method === "POST") expect(await answer.text()).toContain("didn't come from a page on this site");
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await stored()).toEqual(before);
  // Still signed in, because signing out is a form too.
  expect((await ada.get("/profile")).status).toBe(200);
});

test("accepts a form from our own page by Sec-Fetch-Site alone", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
  const answer = await ada.request("/auth/sign-out", { method: "POST", headers, body: "" });
  expect(answer.headers.get("location")).toBe("/auth");
});

test("accepts forms behind a proxy that terminates TLS, whatever Host it sends", async () => {
  const { app } = await createTestApp({
    env: { BASE_URL: "https://cards.example.com", SMTP_URL: "smtp://127.0.0.1:1" },
  });
  const headers = { origin: "https://cards.example.com", "content-type": type };
  for (const host of ["cards.example.com", "127.0.0.1:3000", "meishi.internal:8080"]) {
    for (const path of ["/auth", "/auth.data"]) {
      const answer = await app.request(`http://${host}${path}`, {
        method: "POST",
        headers: { ...headers, host },
        body: "intent=log-in&email=ada@example.com&password=wrong",
      });
      expect(await answer.text(), `${host}${path}`).toContain("Invalid email or password.");
    }
  }
});
