import { expect, test } from "vitest";

import { createApiApp } from "./api-app.ts";

const links = [
  { label: "Site", url: "ada.example", utmSource: "card" },
  { label: "Talk", url: "https://ada.example/talk", until: "2020-01-01T00:00:00Z" },
];

test("the profile is read and changed as its page shows, and a stale version changes nothing", async () => {
  const { call, visitor, ownerId } = await createApiApp();
  const before = await call("GET /profile");
  expect(before.body).toMatchObject({ id: ownerId, bio: null, handle: null, links: [] });
  const headers = { "if-match": before.headers.get("etag") ?? "" };
  const changed = await call("PATCH /profile", { body: { displayName: "Ada L.", handle: "ada-l", links }, headers });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    displayName: "Ada L.",
    url: "http://localhost:3000/u/ada-l",
    links: [
      { label: "Site", url: "https://ada.example", on: true, utmSource: "card", from: null },
      { label: "Talk", until: "2020-01-01T00:00:00.000Z" },
    ],
  });
  const page = await (await visitor().get("/u/ada-l")).text();
  expect(page).toContain("Ada L.");
  expect(page).not.toContain("/talk");
  const stale = await call("PATCH /profile", { body: { bio: "Lost" }, headers });
  expect([stale.status, stale.body.code]).toEqual([412, "version_conflict"]);
  expect((await call("GET /profile")).body).toEqual(changed.body);

  const [site] = changed.body.links;
  const kept = await call("PATCH /profile", { body: { links: [{ ...site, label: "Home" }], bio: "Notes" } });
  expect(kept.body.links).toEqual([{ ...site, label: "Home" }]);
});

test("each wrong field of the profile is named with the form's texts", async () => {
  const { call } = await createApiApp();
  const { status, body } = await call("PATCH /profile", {
    body: { displayName: "a".repeat(51), theme: "royal", handle: "x", links: [{ label: "a", url: "javascript:x" }] },
  });
  expect(status).toBe(400);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
    "/displayName",
    "/handle",
    "/links/0/url",
    "/theme",
  ]);
  const foreign = await call("PATCH /profile", {
    body: { version: 3, links: [{ label: "a", url: "a.example", from: "tomorrow", color: "red" }] },
  });
  expect(foreign.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
    "/links/0/color",
    "/links/0/from",
    "/version",
  ]);
});

test("a theme of Premium is a limit of the plan", async () => {
  const { call } = await createApiApp();
  const { status, body } = await call("PATCH /profile", { body: { theme: "royal", bio: "Lost" } });
  expect([status, body.code, body.errors[0].pointer]).toEqual([403, "plan_limit", "/theme"]);
  expect((await call("GET /profile")).body).toMatchObject({ theme: "default", bio: null });
});

test("the account says its plan and how much of it is used", async () => {
  const { call, ownerId } = await createApiApp();
  await call("POST /cards", { body: {} });
  expect((await call("GET /account")).body).toEqual({
    id: ownerId,
    email: "ada@example.com",
    plan: { id: "free", name: "Free", endsAt: null, maxCards: 1 },
    usage: { cards: 1 },
  });
});
