import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { adminEmail, createOperatedApp, makeProofsStale } from "#tests/support/admin/operated-app.ts";
import { listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

/** Of an account that doesn't exist: what decides comes before. */
const id = "3f1c7f2e-0000-4000-8000-000000000000";
const paths = listRoutes()
  .map(({ path }) => path.replace(":id", id))
  .filter((path) => /^\/admin(\/|$)/.test(path));

/** What a page says, without what differs in each response. */
async function textOf(response: Response, path: string): Promise<string> {
  const html = await response.text();
  return html
    .replaceAll(path, "(path)")
    .replaceAll(/nonce="[^"]*"|[\da-f]{8}-[\da-f-]{27}|"requestId",[^,]*|<!--.*?-->/g, "");
}

test("everyone but an operator gets the page for unknown addresses, for each way to ask", async () => {
  const { signedIn, signedUp, visitor } = await createOperatedApp();
  const ada = await signedIn("ada@example.com");
  expect(paths.length).toBeGreaterThan(3);
  for (const person of [visitor(), ada, await signedUp("bob@example.com")]) {
    // Shows the message of the sign-up.
    await person.get("/");
    const unknown = await person.get("/no/such/page");
    const expected = await textOf(unknown, "/no/such/page");
    for (const path of paths) {
      for (const variant of [path, `${path}.data`]) expect((await person.get(variant)).status, variant).toBe(404);
      const response = await person.get(path);
      expect(await textOf(response, path), path).toBe(expected);
      expect((await person.post(path, { intent: "block", reason: "x" })).status, path).toBe(404);
    }
  }
});

test("without ADMIN_EMAILS no one is an operator, and with it no one whose email isn't confirmed", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn(adminEmail);
  const { admin, services } = await createOperatedApp();
  await services.db
    .updateTable("user" as "setting")
    .set({ emailVerified: 0 } as never)
    .execute();
  for (const path of paths)
    expect([path, (await ada.get(path)).status, (await admin.get(path)).status]).toEqual([path, 404, 404]);
  expect(await (await admin.get("/account")).text()).not.toContain("/admin/users");
});

test("an operator without a confirmed second factor is asked to turn it on, and nothing else opens", async () => {
  const { admin, services } = await createOperatedApp();
  await services.db.updateTable("second_factor").set({ enabled_at: null }).execute();
  expect((await admin.get("/admin/users")).headers.get("location")).toBe("/admin/two-step");
  await services.db.deleteFrom("second_factor").execute();
  for (const path of paths.filter((one) => one !== "/admin/two-step")) {
    expect((await admin.get(path)).headers.get("location"), path).toBe("/admin/two-step");
    expect((await admin.post(path, { intent: "block" })).headers.get("location"), path).toBe("/admin/two-step");
  }
  const page = await admin.get("/admin/two-step");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('href="/account/two-step"');
});

test("an operator proves who they are before a page opens, and a late action changes nothing and keeps its text", async () => {
  const app = await createOperatedApp();
  const { admin, signedIn } = app;
  const ada = await signedIn("ada@example.com");
  const user = `/admin/users/${await userIdOf(ada)}`;
  await makeProofsStale(app);
  for (const path of ["/admin/users?q=ada", user, "/admin/log"]) {
    const { searchParams } = new URL((await admin.get(path)).headers.get("location") ?? "", "http://localhost");
    expect(searchParams.get("returnTo")).toBe(path);
  }
  const late = await admin.post(user, { intent: "block", reason: "Sells spam" });
  expect(late.status).toBe(403);
  const html = await late.text();
  expect(html).toContain("First confirm it&#x27;s you");
  expect(html).toContain('value="Sells spam"');
  for (const text of ["ada@example.com", ">Sessions<", ">Plan<"]) expect(html).not.toContain(text);
  const unknown = await admin.post(`/admin/users/${id}`, { intent: "block", reason: "Sells spam" });
  expect(unknown.status).toBe(403);
  expect((await ada.get("/account")).status).toBe(200);
});

test("only an operator's menu has the link to the admin pages, whose actions other sites can't send", async () => {
  const { admin, signedIn } = await createOperatedApp();
  const ada = await signedIn("ada@example.com");
  expect(await (await admin.get("/account")).text()).toContain('href="/admin/users"');
  expect(await (await ada.get("/account")).text()).not.toContain("/admin/users");
  const path = `/admin/users/${await userIdOf(ada)}`;
  const forged = await admin.post(path, { intent: "block", reason: "x" }, { origin: "https://evil.example" });
  expect(forged.status).toBe(403);
  expect((await ada.get("/account")).status).toBe(200);
});
