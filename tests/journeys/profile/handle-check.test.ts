import { expect, test } from "vitest";

import { profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

test("a typed handle is checked like a save, and one that is taken comes with another", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const eve = await signedIn("eve@example.com");
  await ada.get("/profile");
  await ada.post("/profile", profileForm({ handle: "ada" }));
  await ada.post("/profile", profileForm({ handle: "ada-2", version: "2" }));
  expect(await check(eve, "Ada")).toEqual({ problem: "This handle is taken. Choose another.", suggestion: "ada-3" });
  expect(await check(eve, "ada-lovelace")).toEqual({ problem: "", suggestion: "" });
  for (const own of ["ada", "ada-2"]) expect(await check(ada, own)).toEqual({ problem: "", suggestion: "" });
  const reserved = "This handle is reserved. Choose another.";
  expect(await check(eve, "admin")).toEqual({ problem: reserved, suggestion: "" });
  expect(await check(eve, "admin", "ada")).toEqual({ problem: reserved, suggestion: "ada-3" });
  expect(await check(eve, "ada", "eve-adams")).toMatchObject({ suggestion: "eve-adams" });
  expect(await check(eve, "ada", "<script>")).toMatchObject({ suggestion: "ada-3" });
  expect(await check(eve, "")).toEqual({ problem: "Choose a handle.", suggestion: "" });
  // Nothing was reserved.
  expect((await eve.post("/profile", profileForm({ handle: "ada-3" }))).status).toBe(302);
});

test("a handle can't be checked without an account, nor as often as it takes to list them", async () => {
  const { visitor, signedIn } = await createTestApp();
  const refused = await visitor().get("/profile/handle?handle=ada");
  expect(refused.headers.get("location")).toMatch(/^\/auth\?/);
  const ada = await signedIn();
  const statuses = [];
  for (let press = 0; press < 122; press++)
    statuses.push((await ada.get(`/profile/handle?handle=try-${press}`)).status);
  expect(statuses.slice(118)).toEqual([200, 200, 429, 429]);
});

async function check(person: Visitor, handle: string, like = ""): Promise<unknown> {
  const response = await person.get(`/profile/handle?${new URLSearchParams({ handle, like })}`);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  return response.json();
}
