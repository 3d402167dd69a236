import ICAL from "ical.js";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { removeAsset, storeAsset } from "#app/features/uploads/data.server.ts";
import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

describe("the photo in a contact file", () => {
  test("is the owner's avatar as a JPEG, and a new one changes REV", async () => {
    const { services, visitor, id, ownerId, pass } = await withCard();
    const before = read(await vcf(visitor(), id));
    expect(before.photo).toBeUndefined();
    pass(60_000);
    await storeAsset(services, { ownerId, slot: "avatar", upload: await createImage(500, 500), filename: "me.png" });
    const file = await vcf(visitor(), id);
    for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const { photo, rev } = read(file);
    expect(rev).not.toBe(before.rev);
    const bytes = Buffer.from(photo ?? "", "base64");
    expect(bytes.length).toBeLessThanOrEqual(20 * 1024);
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width]).toEqual(["jpeg", height]);
    await removeAsset(services, { ownerId, slot: "avatar" });
    expect(read(await vcf(visitor(), id)).photo).toBeUndefined();
  });

  test.each([
    ["gone from the store", undefined],
    ["too large for address books", 20 * 1024 + 1],
  ])("is left out when it is %s, which is logged", async (_, size) => {
    const { services, visitor, id, logLines } = await withCard();
    const keyPrefix = "avatars/ada/avatar_1790000000000";
    await services.db.updateTable("profile").set({ avatar_stem: keyPrefix }).execute();
    if (size !== undefined) await services.files.put(`${keyPrefix}.jpg`, new Uint8Array(size), "image/jpeg");
    const file = await vcf(visitor(), id);
    expect(file).not.toContain("PHOTO");
    expect(file).toContain("EMAIL");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "contact file sent without the photo" }));
  });

  test("is left out when the storage can't be read", async () => {
    const { services, visitor, id, logLines } = await withCard();
    await services.db.updateTable("profile").set({ avatar_stem: "no/such/place/at/all" }).execute();
    expect(await vcf(visitor(), id)).not.toContain("PHOTO");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "contact file sent without the photo" }));
  });
});

describe("the company's logo", () => {
  test("is on the card's page and in its editor, and is deleted with the card", async () => {
    const { services, visitor, ada, id, ownerId } = await withCard();
    const stored = await storeAsset(services, { ownerId, slot: `logo:${id}`, upload: await createImage(480, 150) });
    if (stored.kind !== "stored") throw new Error(stored.kind);
    const address = fileUrl(stored.keyPrefix, logoVariants.webp);
    for (const page of [await visitor().get(`/card/${id}`), await ada.get(`/cards/edit/${id}`)]) {
      expect(await page.text()).toContain(`src="${address}"`);
    }
    expect(await services.files.read(stored.keyPrefix + logoVariants.png)).toBeDefined();
    await ada.post(`/cards/${id}/delete`, {});
    await services.jobs.runDue();
    for (const form of Object.values(logoVariants))
      expect(await services.files.read(stored.keyPrefix + form)).toBeUndefined();
    expect(await services.db.selectFrom("asset").selectAll().execute()).toEqual([]);
  });

  test("doesn't conflict with an open editor", async () => {
    const { services, ada, id, ownerId } = await withCard();
    await storeAsset(services, { ownerId, slot: `logo:${id}`, upload: await createImage(480, 150) });
    const saved = await ada.post(`/cards/edit/${id}`, { ...cardFields, company: "Changed", version: "1" });
    expect(saved.status).toBe(302);
    const { logo_stem, company } = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
    expect(company).toBe("Changed");
    expect(logo_stem).toMatch(/\/logos\/logo_\d+$/);
  });

  test("can be added after the card is saved, as the editor says", async () => {
    const { ada, id, visitor } = await withCard();
    expect(await (await ada.get(`/cards/edit/${id}`)).text()).toContain("Choose a logo");
    const eve = await (await createTestApp()).signedIn();
    expect(await (await eve.get("/cards/edit")).text()).toContain("Save the card to add a logo");
    expect(await (await visitor().get(`/card/${id}`)).text()).not.toContain('class="logo"');
  });
});

async function withCard() {
  let now = Date.now();
  const app = await createTestApp({ clock: () => now });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  const { owner_id: ownerId } = await app.services.db
    .selectFrom("profile")
    .select("owner_id")
    .executeTakeFirstOrThrow();
  return { ...app, ada, id, ownerId, pass: (time: number) => (now += time) };
}

async function vcf(person: ReturnType<TestApp["visitor"]>, id: string): Promise<string> {
  return (await person.get(`/card/${id}/contact.vcf`)).text();
}

/** As another program reads it. */
function read(file: string) {
  const card = new ICAL.Component(ICAL.parse(file));
  return {
    photo: card.getFirstPropertyValue("photo")?.toString(),
    rev: String(card.getFirstPropertyValue("rev")),
  };
}

async function createImage(width: number, height: number): Promise<Uint8Array> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "#888", noise } })
    .png()
    .toBuffer();
}
