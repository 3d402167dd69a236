import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, uploadFile } from "#tests/support/app/uploads.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

/** An installation with passes, and a card with an avatar. */
async function openWithCard() {
  let now = Date.now();
  const { ada, ...app } = await createSignedInApp({ env: walletSettings, clock: () => now });
  const id = await makeCard(ada);
  await uploadFile(ada, "avatar", { bytes: await jpeg(), name: "a.jpg" });
  const address = `${await shortPathOf(app.visitor(), id)}/pass.pkpass`;
  const get = (headers: Record<string, string> = {}) => app.visitor().request(address, { headers });
  return { ...app, ada, id, address, get, ownerId: await userIdOf(ada), pass: (ms: number) => (now += ms) };
}

async function readPass(response: Response) {
  return checkPass(new Uint8Array(await response.arrayBuffer()), demoCertificates.root);
}

describe("the pass of a card for Apple Wallet", () => {
  test("is accepted by programs that check passes, and shows the card with a QR code of its short address", async () => {
    const { get, id, address } = await openWithCard();
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
    // Some programs know one code only.
    const url = `http://localhost:3000${address.replace("/pass.pkpass", "")}`;
    const code = { format: "PKBarcodeFormatQR", message: `${url}?w`, altText: url.replace("http://", "") };
    expect(pass).toMatchObject({ barcodes: [code], barcode: code });

    const strings = files["en.lproj/pass.strings"]?.toString() ?? "";
    const { primaryFields, backFields = [], ...front } = pass?.eventTicket ?? {};
    const labels = [...Object.values(front).flat(), ...backFields.filter(({ key }) => !key.startsWith("link-"))];
    expect(primaryFields).toHaveLength(1);
    for (const { label } of labels) if (label) expect(strings).toContain(`"${label}" = `);
  });

  test("can be updated where the site has https", async () => {
    const { ada, ...app } = await createSignedInApp({ env: { ...walletSettings, BASE_URL: "https://localhost:3000" } });
    const address = `${await shortPathOf(app.visitor(), await makeCard(ada))}/pass.pkpass`;
    const read = async () => (await readPass(await app.visitor().get(address))).pass;
    const first = await read();
    const token = first?.["authenticationToken"];
    expect(first).toMatchObject({ webServiceURL: "https://localhost:3000/passkit" });
    expect(token).toMatch(/^[\w-]{32,}$/);
    await ada.post("/profile", profileForm());
    expect(await read()).toMatchObject({ authenticationToken: token, description: /Lovelace/ });
  });

  test("keeps the images that were drawn before when only its texts change", async () => {
    const { get, ada } = await openWithCard();
    const read = async () => {
      const { pass, files } = await readPass(await get());
      const images = Object.entries(files).filter(([name]) => name.endsWith(".png"));
      return { name: pass?.["description"], images: images.map(([name, file]) => [name, file.toString("base64")]) };
    };
    const before = await read();
    await ada.post("/profile", profileForm());
    const after = await read();
    expect(after.name).not.toBe(before.name);
    expect(after.images).toEqual(before.images);
  });

  test.each([
    ["60 emoji", "👩‍🚀".repeat(12)],
    ["a right-to-left script with quotes and markup", String.raw`محمد "<b>" \ O'Neil & %@`],
  ])("is good with a name of %s and neither email nor phone", async (_, displayName) => {
    const { ada, id, get, services, ownerId } = await openWithCard();
    await makePremium(services, ownerId);
    await ada.post("/profile", profileForm({ displayName, bio: "" }));
    const bare = { profession: "", company: "", position: "", email: "", phone: "", professional_links: "[]" };
    await services.db.updateTable("card").set(bare).where("id", "=", id).execute();
    const { problems, pass } = await readPass(await get());
    expect(problems).toEqual([]);
    const fields = { primaryFields: [{ value: displayName }], secondaryFields: [], auxiliaryFields: [] };
    expect(pass?.eventTicket).toMatchObject(fields);
    expect(pass?.eventTicket["backFields"]?.map(({ key }) => key)).toEqual(["card", "issuer"]);
  });
});

describe("a pass that was loaded before", () => {
  test("isn't sent again until something visible changes", async () => {
    const { get, ada, services, pass } = await openWithCard();
    const first = await get();
    const [etag, modified] = [first.headers.get("etag") ?? "", first.headers.get("last-modified") ?? ""];
    pass(60_000);
    // A change that no pass shows.
    await ada.post("/profile", profileForm({ displayName: "ada", bio: "", theme: "default", showBusinessCard: "" }));
    await services.jobs.runDue();
    const conditions = { "if-none-match": etag, "if-modified-since": modified };
    for (const [name, value] of Object.entries(conditions)) {
      const again = await get({ [name]: value });
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    }
    await ada.post("/profile", profileForm({ version: "2", bio: "Notes." }));
    const changed = await get(conditions);
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
    expect(Date.parse(changed.headers.get("last-modified") ?? "")).toBeGreaterThan(Date.parse(modified));
    expect((await readPass(changed)).pass).toMatchObject({ description: "Business card of Ada Lovelace" });
    expect((await get({ "if-modified-since": "yesterday" })).status).toBe(200);
  });

  test("is served like a cached page, without a look at the database, until its owner changes something", async () => {
    const { get, services, ownerId } = await openWithCard();
    const first = await get();
    const bytes = Buffer.from(await first.arrayBuffer());
    // No code of ours writes without an event.
    await services.db.updateTable("card").set({ profession: "Poet" }).execute();
    const again = await get({ "accept-encoding": "br, gzip" });
    expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
    const names = ["etag", "last-modified", "content-type", "content-disposition", "cache-control", "x-robots-tag"];
    for (const name of names) expect(again.headers.get(name), name).toBe(first.headers.get(name));
    expect(again.headers.get("content-encoding")).toBeNull();
    const [etag, modified] = [first.headers.get("etag") ?? "", first.headers.get("last-modified") ?? ""];
    const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
    for (const [headers, status] of [
      [{ "if-none-match": etag }, 304],
      [{ "if-modified-since": modified }, 304],
      [{ "if-none-match": '"other"', "if-modified-since": modified }, 200],
      [{ "if-modified-since": earlier }, 200],
    ] as const)
      expect((await get(headers)).status, JSON.stringify(headers)).toBe(status);
    await recordSave(services, ownerId);
    const changed = await get({ "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(JSON.stringify((await readPass(changed)).pass)).toContain("Poet");
  });

  test("is counted each time it is sent to another person, also from the cache", async () => {
    const { get, ada, address, services } = await openWithCard();
    const etag = (await get()).headers.get("etag") ?? "";
    await get();
    await get({ "if-none-match": etag });
    await get({ "user-agent": "Googlebot/2.1" });
    await ada.get(address);
    await services.counter.flush();
    const counts = services.db.selectFrom("hourly_count").select("n").where("kind", "=", "wallet");
    expect(await counts.execute()).toEqual([{ n: 2 }]);
  });

  test("isn't served any longer when its owner's plan ends by itself", async () => {
    const { get, services, ownerId, pass } = await openWithCard();
    await makePremium(services, ownerId, services.clock() + 60_000);
    const branding = async () =>
      (await readPass(await get())).pass?.eventTicket["backFields"]?.some(({ key }) => key === "branding");
    expect([await branding(), await branding()]).toEqual([false, false]);
    pass(60_000);
    expect(await branding()).toBe(true);
  });
});

test("passes are all made when a network requests 200 different ones at the same time, and 200 times for one", async () => {
  const { services, visitor, get, ownerId } = await openWithCard();
  await makePremium(services, ownerId);
  const same = await Promise.all(Array.from({ length: 200 }, () => get()));
  const bodies = await Promise.all(same.map(async (one) => Buffer.from(await one.arrayBuffer()).toString("base64")));
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(bodies).size).toBe(1);

  const card = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  const cards = Array.from({ length: 200 }, (_, n) => ({ ...card, id: `card-${n}`, code: `many${100 + n}` }));
  for (let at = 0; at < cards.length; at += 20) await insertRows(services, { card: cards.slice(at, at + 20) });
  const responses = await Promise.all(cards.map(({ code }) => visitor().get(`/c/${code}/pass.pkpass`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const last = await readPass(responses.at(-1) ?? new Response());
  expect([last.problems, last.pass?.serialNumber]).toEqual([[], "card-199"]);
});

describe("there is no pass", () => {
  test("of a private, a paused and an unknown card, alike, and browsers go on to the card's page, which says so", async () => {
    const { ada, id, visitor, address, get, services, ownerId } = await openWithCard();
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
    await recordSave(services, ownerId);
    expect(await seen(address)).toEqual(unknown);
    const opened = await visitor().get("/c/0000000/pass.pkpass", { accept: "text/html" });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/c/0000000"]);
  });

  test("once the certificate has expired, or with wrong settings, which are logged while the rest of the site runs", async () => {
    const { get, pass } = await openWithCard();
    expect((await get()).status).toBe(200);
    pass(366 * 24 * 60 * 60_000);
    expect((await get()).status).toBe(404);

    const app = await createTestApp({ env: { ...walletSettings, APPLE_PASS_TYPE_ID: "pass.other" } });
    const problems = [expect.stringMatching(/^APPLE_PASS_CERTIFICATE is for the pass type/)];
    expect(app.logLines).toContainEqual(expect.objectContaining({ level: 50, problems }));
    const id = await makeCard(await app.signedIn());
    expect((await app.visitor().get(`/card/${id}`)).status).toBe(200);
    expect((await app.visitor().get(`/card/${id}/pass.pkpass`)).status).toBe(404);
  });
});
