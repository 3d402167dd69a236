import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { callFunction } from "#tests/support/app/visitor.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openWithCard } from "#tests/support/providers/google-wallet/google-app.ts";
import { accountFile, openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("a pass that someone has", () => {
  test("changes with its card, once for several saves", async () => {
    const { add, ada, google, object, pass } = await openWithCard();
    await add();
    google.state.log.length = 0;
    await ada.post("/profile", profileForm());
    await ada.post("/profile", profileForm({ version: "2", bio: "Notes." }));
    await pass(0);
    expect(google.state.log).toEqual([]);
    await pass(6_000);
    expect(google.state.log).toEqual(["PATCH genericObject 200"]);
    expect(object()).toMatchObject({ header: { defaultValue: { value: "Ada Lovelace" } } });
    // Nothing on the pass has changed.
    await ada.post("/profile", profileForm({ version: "3", bio: "Notes.", showBusinessCard: "" }));
    await pass(0);
    await pass(6_000);
    expect(google.state.log).toHaveLength(1);
  });

  test("is sent again by push-pass-update, when Google has something else", async () => {
    const { add, ada, id, google, object, pass, services } = await openWithCard();
    await add();
    await services.db.updateTable("card").set({ profession: "Analyst" }).where("id", "=", id).execute();
    const { status } = await callFunction(ada, "push-pass-update", {
      input: { cardId: id, changedFields: ["profession"] },
    });
    expect(status).toBe(200);
    await pass(6_000);
    expect(object()).toMatchObject({ subheader: { defaultValue: { value: "Analyst · Analytical Engines" } } });
    expect(google.state.problems).toEqual([]);
  });

  test("is inactive and shows nothing of its owner while the card is paused, and is back after that", async () => {
    const { add, ada, id, google, object, pass } = await openWithCard();
    await add();
    const before = object();
    await ada.post(`/cards/${id}/pause`, {});
    await pass(0);
    await pass(6_000);
    expect(object()).toMatchObject({ state: "INACTIVE" });
    expect(JSON.stringify(object())).not.toMatch(/\bada\b|Mathematician| 7946|\/c\//);
    await ada.post(`/cards/${id}/pause`, { pause: "off" });
    await pass(0);
    await pass(6_000);
    expect(object()).toEqual(before);
    expect(google.state.problems).toEqual([]);
  });

  test("is inactive once the card is deleted", async () => {
    const { add, ada, id, object, pass, services } = await openWithCard();
    await add();
    await ada.post(`/cards/${id}/delete`, {});
    await pass(0);
    await pass(6_000);
    expect(object()).toMatchObject({ state: "INACTIVE" });
    const row = await services.db.selectFrom("google_pass").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ card_id: id, error: "" });
    expect(row?.deleted_at).not.toBeNull();
  });
});

describe("when Google is down", () => {
  test("a visitor is told so and offered the contact file, or the pass where there is one", async () => {
    const { add, google, path, visitor } = await openWithCard();
    google.state.isDown = true;
    const response = await add();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    const html = await response.text();
    expect(html).toContain("Google Wallet isn’t available");
    const href = new RegExp(`${path}/[\\w.]+`).exec(html)?.[0] ?? "";
    expect([href, (await visitor().get(href)).status]).toEqual([`${path}/contact.vcf`, 200]);
    const other = await openWithCard(walletSettings);
    other.google.state.isDown = true;
    expect(await (await other.add()).text()).toContain(`href="${other.path}/pass.pkpass"`);
  });

  test("a change waits for a day and arrives once", async () => {
    const { add, ada, google, object, pass, wait, services } = await openWithCard();
    await add();
    google.state.isDown = true;
    google.state.log.length = 0;
    await ada.post("/profile", profileForm());
    await pass(0);
    await wait(day);
    expect(object()).toMatchObject({ header: { defaultValue: { value: "ada" } } });
    const tries = google.state.log.length;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(60);
    const row = async () => services.db.selectFrom("google_pass").selectAll().executeTakeFirstOrThrow();
    expect((await row()).error).toBe("Google Wallet can’t be reached. We keep trying.");
    google.state.isDown = false;
    google.state.log.length = 0;
    await wait(2 * 60 * minute);
    expect(google.state.log).toEqual(["POST token 200", "PATCH genericObject 200"]);
    expect(object()).toMatchObject({ header: { defaultValue: { value: "Ada Lovelace" } } });
    expect((await row()).error).toBe("");
    expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });

  test("or asks us to wait, it isn't asked again before that", async () => {
    const { add, google, pass } = await openWithCard();
    google.state.refuse = () => ({ status: 429, headers: { "retry-after": "120" } });
    expect((await add()).status).toBe(503);
    google.state.refuse = () => undefined;
    await pass(100_000);
    expect((await add()).status).toBe(503);
    expect(google.state.log).toEqual(["POST token 429"]);
    await pass(21_000);
    expect((await add()).status).toBe(302);
  });
});

test("an update that ended before it could be noted is sent again, to the same end", async () => {
  const { add, ada, google, object, pass, services } = await openWithCard();
  const { db } = services;
  await add();
  await ada.post("/profile", profileForm());
  await pass(0);
  const [jobs, stored] = [
    await db.selectFrom("job").selectAll().execute(),
    await db.selectFrom("google_pass").selectAll().execute(),
  ];
  await pass(6_000);
  const sent = object();
  // As after kill -9: Google has the change, and the database is as before.
  await db.deleteFrom("google_pass").execute();
  await db.insertInto("google_pass").values(stored).execute();
  const insert = db.insertInto("job").values(jobs);
  await insert.onConflict((conflict) => conflict.column("id").doNothing()).execute();
  google.state.log.length = 0;
  await pass(1_000);
  expect(google.state.log).toEqual(["PATCH genericObject 200"]);
  expect(object()).toEqual(sent);
});

test("a token, a class and an object that Google doesn't have any more are created again", async () => {
  const { add, ada, google, object, pass } = await openWithCard();
  await add();
  for (const gone of [google.state.tokens, google.state.classes, google.state.objects]) gone.clear();
  await ada.post("/profile", profileForm());
  await pass(0);
  await pass(6_000);
  expect(object()).toMatchObject({ header: { defaultValue: { value: "Ada Lovelace" } } });
  expect(google.state.classes.size).toBe(1);
});

describe("when Google doesn't accept this site", () => {
  test.each([
    ["a key that was replaced", 0, "invalid_grant: Invalid JWT Signature."],
    ["a clock that is two hours late", -120, "invalid_grant: Invalid JWT: Token must be"],
  ])("because of %s, the log says why, and cards stay as they are", async (_, skewMinutes, reason) => {
    const google = await openGoogleWalletDouble();
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const private_key = other.export({ type: "pkcs8", format: "pem" });
    if (skewMinutes === 0) writeFileSync(google.env.GOOGLE_WALLET_SERVICE_ACCOUNT, accountFile({ private_key }));
    const app = await createTestApp({ env: google.env, clock: () => Date.now() + skewMinutes * minute });
    const id = await makeCard(await app.signedIn());
    const response = await app.visitor().get(`/card/${id}/google-wallet`);
    expect(response.status).toBe(503);
    expect(app.logLines).toContainEqual(
      expect.objectContaining({ kind: "unauthorized", reason: expect.stringContaining(reason) }),
    );
    expect(google.state.objects.size).toBe(0);
    expect(await app.services.db.selectFrom("google_pass").select("error").execute()).toEqual([
      { error: "Google Wallet doesn’t accept this site. Its operator has to check the settings." },
    ]);
    expect((await app.visitor().get(`/card/${id}`)).status).toBe(200);
  });

  test("because the service account has no permission, it is tried again when it may have one", async () => {
    const { add, ada, google, object, pass } = await openWithCard();
    await add();
    google.state.refuse = (request) =>
      request.startsWith("PATCH") ? { status: 403, body: { error: { status: "PERMISSION_DENIED" } } } : undefined;
    await ada.post("/profile", profileForm());
    await pass(0);
    await pass(6_000);
    expect(object()).toMatchObject({ header: { defaultValue: { value: "ada" } } });
    google.state.refuse = () => undefined;
    await pass(minute);
    expect(object()).toMatchObject({ header: { defaultValue: { value: "Ada Lovelace" } } });
  });
});

test.each(["pause", "delete"])(
  "a card that is changed by %s while Google receives it ends inactive",
  async (change) => {
    const { add, ada, id, google, object, pass } = await openWithCard();
    google.state.before = async (request) => {
      if (request !== "POST genericObject" || google.state.classes.size === 0) return;
      google.state.before = async () => undefined;
      await ada.post(`/cards/${id}/${change}`, {});
    };
    await add();
    for (const ms of [0, 6_000, 6_000]) await pass(ms);
    expect(object()).toMatchObject({ state: "INACTIVE" });
    expect(JSON.stringify(object())).not.toContain("Mathematician");
  },
);
