import { expect, test } from "vitest";

import { makeCard } from "#tests/support/cards.ts";
import { everyForm } from "#tests/support/forms.ts";
import { idOf } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";

const baseUrl = "http://localhost:3000";
const type = "application/x-www-form-urlencoded";

/** What browsers, and others, say of themselves when the form is not on a page of ours. */
const strangers: Record<string, Record<string, string>> = {
  "another site": { origin: "https://evil.example" },
  "a sandboxed frame or a file": { origin: "null" },
  "no word of where it comes from": {},
  "a site with our name in its own": { origin: "http://localhost:3000.evil.example" },
  "another port of this machine": { origin: "http://localhost:3001" },
  "what is no origin": { origin: "localhost:3000" },
  "another site that names us as referrer": { origin: "https://evil.example", referer: `${baseUrl}/profile` },
  "a page beside ours (same site)": { "sec-fetch-site": "same-site" },
  "the address bar": { "sec-fetch-site": "none" },
};

test.each(Object.entries(strangers))("a form is taken nowhere from %s, and changes nothing", async (_, said) => {
  const { signedIn, services, mails } = await createTestApp();
  const ada = await signedIn();
  await idOf(ada);
  const cardId = await makeCard(ada);
  const { db } = services;
  const stored = async () => [
    await db.selectFrom("profile").selectAll().execute(),
    await db.selectFrom("card").selectAll().execute(),
    await db.selectFrom("attempt").selectAll().execute(),
    await db.selectFrom("tally").selectAll().execute(),
    (await mails()).length,
  ];
  const before = await stored();
  const click = JSON.stringify({ subject: `card:${cardId}`, target: "x" });
  const posts = [
    ...everyForm(cardId).map(({ path, fields }) => ({ path, body: new URLSearchParams(fields).toString() })),
    { path: "/count", body: click },
    { path: `/cards/edit/${cardId}.data`, body: "company=Changed" },
    { path: "/profile.data", body: "displayName=Changed" },
  ];
  for (const { path, body } of posts) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await ada.request(path, { method, headers: { "content-type": type, ...said }, body });
      expect(answer.status, `${method} ${path}`).toBe(method === "POST" ? 403 : 405);
      if (method === "POST") expect(await answer.text()).toContain("did not come from a page of this site");
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  expect(await stored()).toEqual(before);
  // Still signed in: signing out is a form as well.
  expect((await ada.get("/profile")).status).toBe(200);
});

test("a page of ours that says so by Sec-Fetch-Site alone is believed", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
  const answer = await ada.request("/auth/sign-out", { method: "POST", headers, body: "" });
  expect(answer.headers.get("location")).toBe("/auth");
});

test("behind a proxy that ends TLS, and under whatever name it asks us, a form is taken", async () => {
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
