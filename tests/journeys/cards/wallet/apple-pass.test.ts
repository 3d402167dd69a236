import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, uploadFile } from "#tests/support/app/uploads.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

/** An installation with passes, and a card with an avatar. */
async function openWithCard(env: Record<string, string> = {}, clock?: () => number) {
  const app = await createTestApp({ env: { ...walletSettings, ...env }, ...(clock && { clock }) });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  await uploadFile(ada, "avatar", { bytes: await jpeg(), name: "a.jpg" });
  const address = `${await shortPathOf(app.visitor(), id)}/pass.pkpass`;
  const get = (headers: Record<string, string> = {}) => app.visitor().request(address, { headers });
  return { ...app, ada, id, address, get };
}

async function readPass(response: Response) {
  return checkPass(new Uint8Array(await response.arrayBuffer()), demoCertificates.root);
}

describe("the pass of a card for Apple Wallet", () => {
  test("is accepted by programs that check passes, and shows the card", async () => {
    const { get, id } = await openWithCard();
    const response = await get();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/vnd.apple.pkpass",
      "content-disposition": `inline; filename="ada.pkpass"; filename*=UTF-8''ada.pkpass`,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    const { problems, pass, files } = await readPass(response);
    expect(problems).toEqual([]);
    expect(pass).toMatchObject({ serialNumber: id, sharingProhibited: false, organizationName: "Meishi" });
    expect(pass).not.toHaveProperty("webServiceURL");
    const values = Object.values(pass?.eventTicket ?? {}).flatMap((fields) => fields.map(({ value }) => value));
    expect(values).toEqual(
      expect.arrayContaining(["ada", "Mathematician · Analytical Engines", "ada@example.com", "+44 20 7946 0000"]),
    );
    for (const name of ["icon", "logo", "background", "thumbnail"])
      for (const density of ["", "@2x", "@3x"]) expect(Object.keys(files)).toContain(`${name}${density}.png`);
  });

  test("has a QR code of the short address with a mark of its own, also for programs that know one code only", async () => {
    const { get, address } = await openWithCard();
    const { pass } = await readPass(await get());
    const url = `http://localhost:3000${address.replace("/pass.pkpass", "")}`;
    const code = { format: "PKBarcodeFormatQR", message: `${url}?w`, altText: url.replace("http://", "") };
    expect(pass).toMatchObject({ barcodes: [code], barcode: code });
  });

  test("can be updated where the site has https", async () => {
    const app = await createTestApp({ env: { ...walletSettings, BASE_URL: "https://localhost:3000" } });
    const ada = await app.signedIn();
    const address = `${await shortPathOf(app.visitor(), await makeCard(ada))}/pass.pkpass`;
    const read = async () => (await readPass(await app.visitor().get(address))).pass;
    const first = await read();
    expect(first).toMatchObject({ webServiceURL: "https://localhost:3000/passkit" });
    expect(first?.["authenticationToken"]).toMatch(/^[\w-]{32,}$/);
    await ada.post("/profile", profileForm({ version: "1" }));
    expect(await read()).toMatchObject({
      authenticationToken: first?.["authenticationToken"],
      description: /Lovelace/,
    });
  });

  test("translates every label of its fields", async () => {
    const { get } = await openWithCard();
    const { pass, files } = await readPass(await get());
    const strings = files["en.lproj/pass.strings"]?.toString() ?? "";
    const { primaryFields, backFields = [], ...front } = pass?.eventTicket ?? {};
    const labels = [...Object.values(front).flat(), ...backFields.filter(({ key }) => !key.startsWith("link-"))];
    expect(primaryFields).toHaveLength(1);
    for (const { label } of labels) if (label) expect(strings).toContain(`"${label}" = `);
  });
});

describe("a pass that was loaded before", () => {
  test("isn't sent again until something visible changes", async () => {
    let now = Date.now();
    const { get, ada, services } = await openWithCard({}, () => now);
    const first = await get();
    const [etag, modified] = [first.headers.get("etag") ?? "", first.headers.get("last-modified") ?? ""];
    now += 60_000;
    // A change that no pass shows.
    await ada.post("/profile", profileForm({ displayName: "ada", bio: "", theme: "default", showBusinessCard: "" }));
    await services.jobs.runDue();
    const conditions = { "if-none-match": etag, "if-modified-since": modified };
    for (const [name, value] of Object.entries(conditions)) {
      const again = await get({ [name]: value });
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    }
    await ada.post("/profile", profileForm({ version: "2", bio: "Notes." }));
    const changed = await get({ "if-none-match": etag, "if-modified-since": modified });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
    expect(Date.parse(changed.headers.get("last-modified") ?? "")).toBeGreaterThan(Date.parse(modified));
    expect((await readPass(changed)).pass).toMatchObject({ description: "Business card of Ada Lovelace" });
    expect((await get({ "if-modified-since": "yesterday" })).status).toBe(200);
  });

  test("is served like a cached page, without a look at the database, until its owner changes something", async () => {
    const { get, ada, services } = await openWithCard();
    const first = await get();
    const bytes = Buffer.from(await first.arrayBuffer());
    // No code of ours writes without an event.
    await services.db.updateTable("card").set({ profession: "Poet" }).execute();
    const again = await get({ "accept-encoding": "br, gzip" });
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    for (const name of [
      "etag",
      "last-modified",
      "content-type",
      "content-disposition",
      "cache-control",
      "x-robots-tag",
    ])
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
    expect(again.headers.get("content-encoding")).toBeNull();
    const [etag, modified] = [first.headers.get("etag") ?? "", first.headers.get("last-modified") ?? ""];
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect((await get({ "if-modified-since": modified })).status).toBe(304);
    expect((await get({ "if-none-match": '"other"', "if-modified-since": modified })).status).toBe(200);
    expect((await get({ "if-modified-since": new Date(Date.parse(modified) - 1_000).toUTCString() })).status).toBe(200);
    await recordSave(services, await userIdOf(ada));
    const changed = await get({ "if-none-match": etag });
    expect([changed.status, JSON.stringify((await readPass(changed)).pass)]).toEqual([
      200,
      expect.stringContaining("Poet"),
    ]);
  });

  test("is counted each time it is sent to another person, also from the cache", async () => {
    const { get, ada, address, services } = await openWithCard();
    const etag = (await get()).headers.get("etag") ?? "";
    await get();
    await get({ "if-none-match": etag });
    await get({ "user-agent": "Googlebot/2.1" });
    await ada.get(address);
    await services.counter.flush();
    const counts = await services.db
      .selectFrom("hourly_count")
      .select(["kind", "n"])
      .where("kind", "=", "wallet")
      .execute();
    expect(counts).toEqual([{ kind: "wallet", n: 2 }]);
  });

  test("isn't served any longer when its owner's plan ends by itself", async () => {
    let now = Date.now();
    const { get, ada, services } = await openWithCard({}, () => now);
    await makePremium(services, await userIdOf(ada), now + 60_000);
    const branding = async () =>
      (await readPass(await get())).pass?.eventTicket["backFields"]?.some(({ key }) => key === "branding");
    expect([await branding(), await branding()]).toEqual([false, false]);
    now += 60_000;
    expect(await branding()).toBe(true);
  });

  test("is made once when 200 phones ask for it at the same time", async () => {
    const { get } = await openWithCard();
    const responses = await Promise.all(Array.from({ length: 200 }, () => get()));
    const bodies = await Promise.all(
      responses.map(async (one) => Buffer.from(await one.arrayBuffer()).toString("base64")),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(bodies).size).toBe(1);
    expect((await checkPass(Buffer.from(bodies[0] ?? "", "base64"), demoCertificates.root)).problems).toEqual([]);
  });
});

test("200 different passes are all made when a network asks for them at the same time", async () => {
  const { services, visitor, ada } = await openWithCard();
  const { db } = services;
  await makePremium(services, await userIdOf(ada));
  const card = await db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  const cards = Array.from({ length: 200 }, (_, n) => ({ ...card, id: `card-${n}`, code: `many${100 + n}` }));
  for (let at = 0; at < cards.length; at += 20)
    await db
      .insertInto("card")
      .values(cards.slice(at, at + 20))
      .execute();
  const responses = await Promise.all(cards.map(({ code }) => visitor().get(`/c/${code}/pass.pkpass`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const last = await readPass(responses.at(-1) ?? new Response());
  expect([last.problems, last.pass?.serialNumber]).toEqual([[], "card-199"]);
});

test("a pass whose texts changed has the images that were drawn before", async () => {
  const { get, ada } = await openWithCard();
  const images = async () => {
    const { pass, files } = await readPass(await get());
    const pngs = Object.entries(files).filter(([name]) => name.endsWith(".png"));
    return { name: pass?.["description"], pngs: pngs.map(([name, file]) => [name, file.toString("base64")]) };
  };
  const before = await images();
  await ada.post("/profile", profileForm({ version: "1" }));
  const after = await images();
  expect(after.name).not.toBe(before.name);
  expect(after.pngs).toEqual(before.pngs);
});

describe("there is no pass", () => {
  test("of a private, a paused and an unknown card, alike", async () => {
    const { ada, id, visitor, address, get, services } = await openWithCard();
    const seen = async (path: string) => {
      const response = await visitor().get(path);
      return [response.status, await response.text(), response.headers.get("cache-control")];
    };
    const unknown = await seen("/c/0000000/pass.pkpass");
    expect(unknown[0]).toBe(404);
    await ada.post(`/cards/${id}/pause`, {});
    expect(await seen(address)).toEqual(unknown);
    await ada.post(`/cards/${id}/pause`, { pause: "off" });
    expect((await get()).status).toBe(200);
    await services.db.updateTable("card").set({ is_public: 0 }).where("id", "=", id).execute();
    await recordSave(services, await userIdOf(ada));
    expect(await seen(address)).toEqual(unknown);
  });

  test("where passes aren't configured, and once the certificate has expired", async () => {
    const other = await createTestApp();
    const id = await makeCard(await other.signedIn());
    expect((await other.visitor().get(`/card/${id}/pass.pkpass`)).status).toBe(404);
    let now = Date.now();
    const { get } = await openWithCard({}, () => now);
    expect((await get()).status).toBe(200);
    now += 366 * 24 * 60 * 60_000;
    expect((await get()).status).toBe(404);
  });

  test("and a browser that opens one goes on to the card's page, which says so", async () => {
    const { visitor } = await openWithCard();
    const response = await visitor().request("/c/0000000/pass.pkpass", { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/c/0000000"]);
  });
});

test("wrong settings are logged, and the rest of the site runs", async () => {
  const app = await createTestApp({ env: { ...walletSettings, APPLE_PASS_TYPE_ID: "pass.other" } });
  expect(app.logLines).toContainEqual(
    expect.objectContaining({
      level: 50,
      problems: [expect.stringMatching(/^APPLE_PASS_CERTIFICATE is for the pass type/)],
    }),
  );
  const id = await makeCard(await app.signedIn());
  expect((await app.visitor().get(`/card/${id}`)).status).toBe(200);
  expect((await app.visitor().get(`/card/${id}/pass.pkpass`)).status).toBe(404);
});

test.each([
  ["60 emoji", "👩‍🚀".repeat(12)],
  ["a right-to-left script", "محمد العربي"],
  ["quotes and markup", String.raw`Ada "<b>" \ O'Neil & %@`],
])("a name of %s, with neither email nor phone, makes a good pass", async (_, displayName) => {
  const { ada, id, get, services } = await openWithCard();
  await makePremium(services, await userIdOf(ada));
  await ada.post("/profile", profileForm({ displayName, bio: "" }));
  const bare = { profession: "", company: "", position: "", email: "", phone: "", professional_links: "[]" };
  await services.db.updateTable("card").set(bare).where("id", "=", id).execute();
  const { problems, pass } = await readPass(await get());
  expect(problems).toEqual([]);
  expect(pass?.eventTicket).toMatchObject({
    primaryFields: [{ value: displayName }],
    secondaryFields: [],
    auxiliaryFields: [],
  });
  expect(pass?.eventTicket["backFields"]?.map(({ key }) => key)).toEqual(["card", "issuer"]);
});
