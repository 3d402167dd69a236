import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { maxDevices, profileMs, wrongPasswords } from "#app/features/address-book/rules.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";

import { basic, openAddressBook } from "./address-book.ts";

const statusOf = async ({ dav }: Pick<Awaited<ReturnType<typeof openAddressBook>>, "dav">, password?: string) =>
  (await dav("PROPFIND", { depth: "0", ...(password !== undefined && { password }) })).status;

test("a password is shown once, stored as a hash, mailed without it, and listed with its last use", async () => {
  const app = await openAddressBook();
  const { services, read, mailsTo, ada, logLines, ownerId, password } = app;
  expect(await read("/leads")).toContain('href="/leads/devices"');
  expect(await read("/leads/devices")).toContain("not used yet");
  for (const typed of [password, password.toUpperCase(), password.replaceAll("-", " ")])
    expect(await statusOf(app, typed)).toBe(207);
  expect(await read("/leads/devices")).toContain("last used");
  const mails = await mailsTo(ada.email);
  expect(mails.map(({ subject }) => subject)).toContain("A device can now read your leads");
  const stored = await services.db.selectFrom("address_book_device").selectAll().execute();
  for (const output of [await read("/leads/devices"), stored, logLines, mails])
    expect(JSON.stringify(output)).not.toMatch(new RegExp(`${password}|${password.replaceAll("-", "")}`));
  const [event] = await services.auth.securityEvents.list({ ownerId, limit: 1 });
  expect(event).toMatchObject({ event: "device-password-created", detail: "Phone" });
});

test("a revoked password ends at once, and the security log says so", async () => {
  const app = await openAddressBook();
  const { ada, create, services, read, signedIn } = app;
  const other = await create("Laptop");
  const [laptop, phone] = await services.db.selectFrom("address_book_device").select("id").orderBy("name").execute();
  const revoke = (visitor: typeof ada, id = "") => visitor.post("/leads/devices", { intent: "revoke", id });
  await revoke(await signedIn("eve@example.com"), laptop?.id);
  expect([await statusOf(app), await statusOf(app, other.password)]).toEqual([207, 207]);
  await revoke(ada, laptop?.id);
  await revoke(ada, laptop?.id);
  expect([await statusOf(app), await statusOf(app, other.password)]).toEqual([207, 401]);
  await revoke(ada, phone?.id);
  expect(await statusOf(app)).toBe(401);
  expect(await read("/account/security-log")).toContain("Revoked the password of a device");
  expect(await read("/leads/devices")).toContain("No device yet");
});

test("a name is required, and an account has a limited number of devices", async () => {
  const { ada, create, services, ownerId, time } = await openAddressBook();
  for (const [name, message] of [
    [" ", "Enter a name for the device."],
    ["x".repeat(61), "Use at most 60 characters."],
  ] as const) {
    const refused = await ada.post("/leads/devices", { intent: "create", name });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(message)]);
  }
  const rows = Array.from({ length: maxDevices - 1 }, (_, n) => ({ id: `${n}`, name: "Phone", password_hash: `${n}` }));
  await services.db
    .insertInto("address_book_device")
    .values(rows.map((row) => ({ ...row, owner_id: ownerId, created_at: time.now })))
    .execute();
  expect((await create("One more")).html).toContain(`You have ${maxDevices} devices`);
});

test("a new password asks an owner to prove who they are", async () => {
  const { ada, services } = await openAddressBook();
  await proveAgo(services, 11);
  const response = await ada.post("/leads/devices", { intent: "create", name: "Tablet" });
  expect(response.headers.get("location")).toMatch(/^\/account\/verify\?returnTo=%2Fleads%2Fdevices/);
});

test("wrong passwords are limited by network and logged, and others there still get in", async () => {
  const app = await openAddressBook();
  for (let n = 0; n < wrongPasswords.max; n++) expect(await statusOf(app, "wrong")).toBe(401);
  const limited = await app.dav("PROPFIND", { depth: "0", password: "wrong" });
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(app.logLines).toContainEqual(
    expect.objectContaining({ security: "limit-reached", limit: wrongPasswords.name }),
  );
  expect(await statusOf(app)).toBe(207);
  for (const authorization of ["", "Bearer x", "Basic", "Basic !"])
    expect((await app.dav("PROPFIND", { headers: { authorization } })).status).toBe(401);
});

test("a blocked account has no address book, a deleted one no password, and no session is read or set", async () => {
  const app = await openAddressBook();
  const { services, ownerId, wait, ada, share } = app;
  await share({ id: "a" });
  const response = await ada.request("/dav/leads/", { method: "PROPFIND", headers: { depth: "0" } });
  expect([response.status, response.headers.get("set-cookie")]).toEqual([401, null]);
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  expect(await statusOf(app)).toBe(403);
  await services.db.deleteFrom("account_block").execute();
  await deleteAccount(services, { ownerId, feedback: "" });
  await wait();
  expect(await statusOf(app)).toBe(401);
  for (const table of ["address_book", "address_book_entry", "address_book_device"] as const)
    expect(await services.db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test("over https the page has a configuration profile for Apple devices, for ten minutes, and a link for DAVx⁵", async () => {
  const { create, time, services, app: server } = await openAddressBook();
  Object.assign(services.config, { baseUrl: "https://cards.example.com" });
  const { html, password } = await create("Ada’s “phone” & co");
  const [, path = ""] = /cards\.example\.com(\/address-book\/[\w-]+)/.exec(html) ?? [];
  expect(html).toContain(`href="davx5://ada%40example.com:${password}@cards.example.com/dav/"`);
  expect(html.match(/<svg[^>]*aria-label="QR code for/g)).toHaveLength(2);
  const download = () => server.request(`https://cards.example.com${path}`);
  const profile = await download();
  expect(Object.fromEntries(profile.headers)).toMatchObject({
    "content-type": "application/x-apple-aspen-config",
    "cache-control": "no-store",
    "content-disposition": 'attachment; filename="meishi-leads.mobileconfig"',
  });
  const text = await profile.text();
  for (const part of [
    "<key>PayloadType</key><string>com.apple.carddav.account</string>",
    "<key>CardDAVHostName</key><string>cards.example.com</string>",
    "<key>CardDAVPort</key><integer>443</integer>",
    "<key>CardDAVUseSSL</key><true/>",
    "<key>CardDAVUsername</key><string>ada@example.com</string>",
    `<key>CardDAVPassword</key><string>${password}</string>`,
    "Meishi leads (Ada’s “phone” &amp; co)",
  ])
    expect(text).toContain(part);
  expect(
    (
      await server.request("https://cards.example.com/dav/", {
        method: "OPTIONS",
        headers: { authorization: basic(password) },
      })
    ).status,
  ).toBe(200);
  expect((await server.request("https://cards.example.com/address-book/x")).status).toBe(404);
  time.now += profileMs;
  expect((await download()).status).toBe(404);
});
