import { describe, expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { createLimit, maxKeys } from "#app/features/api/keys/key-rules.ts";
import { keyPattern } from "#app/services/api/api-key.ts";
import { fieldValue, pendingToast } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { blockUser, changeAll } from "#tests/support/database/account-rows.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

const list = "/account/api-keys";
const form = { name: "Backup script", access: "read", expiry: "90" };
const dayMs = 86_400_000;

async function open() {
  const time = { now: Date.UTC(2026, 10, 23, 12) };
  const product = await createApiApp({ clock: () => time.now });
  const { ada, services, ownerId } = product;
  const post = (values: Record<string, string> = form, person = ada) => person.post(`${list}/new`, values);
  /** The key that the page shows. */
  const create = async (values?: Record<string, string>) =>
    new RegExp(`value="(${keyPattern})"`).exec(await textWith(200, await post(values)))?.[1] ?? "";
  const read = async (path = list, person = ada) => textWith(200, await person.get(path));
  const keys = () => services.db.selectFrom("api_key").selectAll().where("owner_id", "=", ownerId).execute();
  const revoke = (id: string, person = ada) => person.post(list, { intent: "revoke", id });
  /** The status and the code of a call with a key. */
  const call = async (key: string | undefined, what = "GET /cards") => {
    const { status, body } = await callApi(product, what, { key });
    return [status, body?.code];
  };
  return { ...product, time, post, create, read, keys, revoke, call };
}

describe("a new API key", () => {
  test("is shown once and works, and nothing but its hash is stored, mailed or logged", async () => {
    const { post, call, read, services, ada, mails, logLines } = await open();
    const response = await post();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.getSetCookie()).toEqual([]);
    const page = await response.text();
    const [key = "none"] = new RegExp(keyPattern).exec(page) ?? [];
    expect(page).toContain(`value="${key}"`);
    expect(await call(key)).toEqual([200, undefined]);
    const stored = await services.db.selectFrom("api_key").selectAll().execute();
    const [mail, ...others] = await mails("An API key was created");
    expect([mail?.to, others.length]).toEqual([ada.email, 0]);
    for (const text of [
      "Backup script",
      "Read everything",
      "February 21, 2027",
      "http://localhost:3000/account/api-keys",
    ])
      expect(mail?.text).toContain(text);
    for (const output of [await read(), stored, mail, logLines]) expect(JSON.stringify(output)).not.toContain(key);
    expect(JSON.stringify(await services.db.selectFrom("job").selectAll().execute())).not.toContain(key);
  });

  test("is in the list with what it may do and when it was used, the newest first", async () => {
    const product = await open();
    const { create, read, time } = product;
    time.now += 1;
    const key = await create({
      name: "CRM",
      access: "choose",
      "cards:write": "on",
      "leads:read": "on",
      expiry: "none",
    });
    expect(await read()).toContain("never used · never expires");
    time.now += dayMs;
    const headers = { "user-agent": "curl/8.5.0" };
    await callApi(product, "DELETE /cards/none", { key, headers });
    const html = await read();
    for (const text of [`…${key.slice(-4)}`, "Cards (change), Leads (read)", "Created November 23, 2026"])
      expect(html).toContain(text);
    expect(html).toContain("last used November 24, 2026 (curl)");
    expect(html.indexOf("CRM")).toBeLessThan(html.indexOf(">Test<"));
  });

  test("may do what was chosen, and nothing else", async () => {
    const { create, call } = await open();
    const refused = [403, "missing_scope"];
    const cases = [
      [{ access: "read", "cards:write": "on" }, [200, undefined], refused],
      [{ access: "all" }, [200, undefined], [404, "not_found"]],
      [{ access: "choose", "cards:write": "on" }, refused, [404, "not_found"]],
    ] as const;
    for (const [access, reading, writing] of cases) {
      const key = await create({ ...form, ...access });
      expect([await call(key), await call(key, "DELETE /cards/none")]).toEqual([reading, writing]);
    }
  });

  test("needs a recent proof of identity, and comes back as it was typed", async () => {
    const { post, read, ada, services, keys } = await open();
    await changeAll(services, "session", { verifiedAt: 0 });
    const verify = "/account/verify?returnTo=%2Faccount%2Fapi-keys%2Fnew";
    expect((await ada.get(`${list}/new`)).headers.get("location")).toBe(verify);
    const typed = { name: "CRM", access: "choose", "leads:read": "on", expiry: "none" };
    expect((await post(typed)).headers.get("location")).toBe(verify);
    expect(await keys()).toHaveLength(1);
    await ada.post(verify, { password: ada.password });
    const html = await read(`${list}/new`);
    expect(fieldValue(html, "name")).toBe("CRM");
    for (const text of ["Confirmed. Press", 'checked="" value="choose"', 'value="none" selected=""'])
      expect(html).toContain(text);
    expect(html).toMatch(/name="leads:read" checked=""/);
    expect(await keys()).toHaveLength(1);
  });

  test("with a wrong form is refused beside the fields, and what was typed comes back", async () => {
    const { post, keys } = await open();
    const long = "x".repeat(61);
    const cases: [Record<string, string>, string][] = [
      [{ ...form, name: "\u0000 \u202e" }, "Enter a name for the key."],
      [{ ...form, name: long }, "Use at most 60 characters."],
      [{ ...form, access: "choose", "cards:admin": "on" }, "Choose at least one permission."],
      [{ name: "x" }, "Choose at least one permission."],
    ];
    for (const [values, message] of cases) expect(await textWith(400, await post(values))).toContain(message);
    expect(fieldValue(await (await post({ ...form, name: long })).text(), "name")).toBe(long);
    expect(await keys()).toHaveLength(1);
  });

  test("that is sent with strange values expires and may do only what it should", async () => {
    const { ada, keys } = await open();
    await ada.post(`${list}/new`, [
      ["name", "One\r\nBcc: x"],
      ["name", "Two"],
      ["access", "read"],
      ["access", "all"],
      ["expiry", "9".repeat(300)],
    ]);
    const row = (await keys()).find(({ name }) => name !== "Test");
    expect([row?.name, row?.scopes.includes("write")]).toEqual(["One Bcc: x", false]);
    expect((row?.expires_at ?? 0) - (row?.created_at ?? 0)).toBe(90 * dayMs);
  });

  test("is one of 20 that work, also when several are created at once, and revoked and expired ones don't count", async () => {
    const product = await open();
    const { post, read, keys, revoke, time, services } = product;
    for (let count = 1; count < maxKeys - 1; count++) await giveKey(product, product.ada, { expiresAt: time.now + 1 });
    const sent = await Promise.all(Array.from({ length: 5 }, () => post()));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await read(`${list}/new`)).toContain("You have 20 active keys");
    await revoke((await keys())[0]?.id ?? "");
    expect((await post()).status).toBe(200);
    time.now += 1;
    expect((await post()).status).toBe(200);
    await useUp(services, { limit: createLimit, subject: product.ownerId });
    expect(await textWith(429, await post())).toContain("Try again in");
  });

  test("is mailed only to a confirmed address", async () => {
    const { create, services, mails } = await open();
    await changeAll(services, "user", { emailVerified: services.engine === "sqlite" ? 0 : false });
    expect(await create()).not.toBe("");
    expect(await mails("An API key was created")).toEqual([]);
  });
});

describe("an API key", () => {
  test("ends when it expires, is revoked, or its account is blocked or deleted", async () => {
    const { create, call, revoke, keys, read, time, ada, services, ownerId } = await open();
    const short = await create({ ...form, expiry: "30" });
    const [kept, revoked] = [await create(), await create({ ...form, name: "CRM" })];
    await revoke((await keys()).find(({ name }) => name === "CRM")?.id ?? "");
    expect(pendingToast(ada)).toMatchObject({ title: "API key revoked" });
    expect(await call(revoked)).toEqual([401, "revoked_key"]);
    time.now += 30 * dayMs - 1;
    expect(await call(short)).toEqual([200, undefined]);
    time.now += 1;
    expect(await call(short)).toEqual([401, "expired_key"]);
    const html = await read();
    for (const text of ["Expired", "expired December 23, 2026", "Revoked", "revoked November 23, 2026"])
      expect(html).toContain(text);
    const log = await read("/account/security-log");
    for (const text of ["Created an API key", "Revoked an API key", "CRM"]) expect(log).toContain(text);
    await blockUser(services, ownerId);
    expect(await call(kept)).toEqual([403, "account_blocked"]);
    await services.db.deleteFrom("account_block").execute();
    await deleteAccount(services, { ownerId, feedback: "" });
    await services.jobs.runDue();
    expect(await call(kept)).toEqual([401, "unknown_key"]);
    expect(await keys()).toEqual([]);
  });

  test("of another owner, or one that was never there, can't be revoked", async () => {
    const { keyId, revoke, signedIn, key, call, ada } = await open();
    const eve = await signedIn("eve@example.com");
    for (const [id, person] of [
      [keyId, eve],
      ["none", ada],
      ["\u0000", ada],
      ["x".repeat(9_000), ada],
    ] as const) {
      expect((await revoke(id, person)).headers.get("location")).toBe(list);
      expect(pendingToast(person)).toMatchObject({ title: "This key no longer works." });
    }
    expect((await ada.post(list, { intent: "other", id: keyId })).status).toBe(400);
    expect(await call(key)).toEqual([200, undefined]);
  });

  test("is all that opens the API, and opens nothing else", async () => {
    const product = await open();
    const { app, ada, key, call, visitor, logLines } = product;
    expect((await (await ada.get("/api/v1/cards")).json()).code).toBe("missing_key");
    expect(await call(decodeURIComponent(ada.cookies.get("meishi.session_token") ?? ""))).toEqual([401, "unknown_key"]);
    const authorization = `Bearer ${key}`;
    const elsewhere = await app.request("http://localhost:3000/functions/v1/check-subscription", {
      method: "POST",
      headers: { authorization },
    });
    expect(elsewhere.status).toBe(401);
    expect((await visitor().get(list, { authorization })).headers.get("location")).toContain("/auth?");
    for (const where of [`GET /cards?key=${key}`, `GET /cards?key=meishi%5F${key.slice(7)}`, `GET /${key}`])
      expect(await call(undefined, where)).toEqual([400, "key_in_url"]);
    expect(JSON.stringify(logLines)).not.toContain(key.slice(7));
  });
});
