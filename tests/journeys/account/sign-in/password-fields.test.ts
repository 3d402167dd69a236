import { expect, test } from "vitest";

import { firstLink, readElements } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";

/** The pages that ask for a password, and whether it is a new one. */
const pages = {
  "/auth": "current-password",
  "/auth?tab=signup": "new-password",
  "/account/verify": "current-password",
  "/account": "current-password",
} as const;

test("every password is masked, and password managers and the clipboard may fill it in", async () => {
  const { ada, visitor, mails } = await createSignedInApp();
  await ada.post("/forgot-password", { email: ada.email });
  const reset = firstLink((await mails())[0]?.text);
  for (const [path, purpose] of Object.entries({ ...pages, [reset]: "new-password" })) {
    const reader = path.startsWith("/account") ? ada : visitor();
    const inputs = readElements(await readPage(reader, path)).filter(({ tag }) => tag === "input");
    const fields = inputs.filter(({ attributes }) => attributes["autocomplete"]?.endsWith("password"));
    const purposes = fields.map(({ attributes }) => attributes["autocomplete"]);
    expect(purposes, path).toContain(purpose);
    for (const { attributes } of fields) {
      expect(attributes["type"], path).toBe("password");
      expect(Object.keys(attributes).filter((name) => /^on|pattern|maxlength|readonly/.test(name))).toEqual([]);
    }
    // None is left without a purpose that password managers know.
    expect(inputs.filter(({ attributes }) => attributes["type"] === "password")).toHaveLength(fields.length);
  }
});

test("a password works forever: there is no day on which it must be changed", async () => {
  let now = Date.now();
  const { ada, visitor } = await createSignedInApp({ clock: () => now });
  now += 5 * 365 * 24 * 3_600_000;
  expect(locationOf(await logIn(visitor(), ada))).toBe("/home");
});

test("a password counts as it is typed: its case, its spaces and its last character", async () => {
  const { signedIn, visitor } = await createTestApp();
  const { email, password: current, ...ada } = await signedIn();
  const long = ` Tea with Charles, ${"and scones ".repeat(9)}at Four `;
  const password = long.padEnd(128, "x7Kq");
  const changed = await ada.post("/account", { intent: "change-password", current, password, confirm: password });
  expect(changed.status).toBe(302);
  const tryWith = async (typed: string) => (await logIn(visitor(), { email, password: typed })).status;
  const others = [password.toLowerCase(), password.trim(), password.slice(0, -1), `${password.slice(0, -1)}!`];
  for (const other of others) expect(await tryWith(other)).toBe(400);
  expect(await tryWith(password)).toBe(302);
});
