import ICAL from "ical.js";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { removeAsset, storeAsset } from "#app/features/uploads/data.server.ts";
import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { photo, plainImage } from "#tests/support/app/uploads.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

describe("the photo in a contact file", () => {
  test("is the owner's avatar as a JPEG, and a new one changes REV", async () => {
    const { services, readFile, ownerId, pass } = await openCard();
    const before = parse(await readFile());
    expect(before.photo).toBeUndefined();
    pass(60_000);
    const upload = await photo(500, 500).png().toBuffer();
    await storeAsset(services, { ownerId, slot: "avatar", upload, filename: "me.png" });
    const file = await readFile();
    for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const after = parse(file);
    expect(after.rev).not.toBe(before.rev);
    const bytes = Buffer.from(after.photo ?? "", "base64");
    expect(bytes.length).toBeLessThanOrEqual(20 * 1024);
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width]).toEqual(["jpeg", height]);
    await removeAsset(services, { ownerId, slot: "avatar" });
    expect(parse(await readFile()).photo).toBeUndefined();
  });

  test.each([
    ["gone from the store", "avatars/ada/avatar_1790000000000", undefined],
    ["too large for address books", "avatars/ada/avatar_1790000000000", 20 * 1024 + 1],
    ["in a storage that can't be read", "no/such/place/at/all", undefined],
  ])("is left out when it is %s, which is logged", async (_, keyPrefix, size) => {
    const { services, readFile, logLines } = await openCard();
    await services.db.updateTable("profile").set({ avatar_stem: keyPrefix }).execute();
    if (size !== undefined) await services.files.put(`${keyPrefix}.jpg`, new Uint8Array(size), "image/jpeg");
    const file = await readFile();
    expect(file).not.toContain("PHOTO");
    expect(file).toContain("EMAIL");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "contact file sent without the photo" }));
  });
});

test("the company's logo is on the card's page and in its editor, without a conflict, and is deleted with the card", async () => {
  const { services, visitor, ada, id, ownerId } = await openCard();
  const read = async (person: Visitor, path: string) => (await person.get(path)).text();
  expect(await read(ada, `/cards/edit/${id}`)).toContain("Choose a logo");
  expect(await read(visitor(), `/card/${id}`)).not.toContain('class="logo"');
  const upload = await plainImage(480, 150).png().toBuffer();
  const stored = await storeAsset(services, { ownerId, slot: `logo:${id}`, upload });
  if (stored.kind !== "stored") throw new Error(stored.kind);
  const saved = await ada.post(`/cards/edit/${id}`, { ...cardFields, company: "Changed", version: "1" });
  expect(saved.status).toBe(302);
  const page = await read(visitor(), `/card/${id}`);
  expect(page).toContain("Changed");
  for (const html of [page, await read(ada, `/cards/edit/${id}`)])
    expect(html).toContain(`src="${fileUrl(stored.keyPrefix, logoVariants.webp)}"`);
  const isStored = async (variant: string) => (await services.files.read(stored.keyPrefix + variant)) !== undefined;
  expect(await isStored(logoVariants.png)).toBe(true);
  await ada.post(`/cards/${id}/delete`, {});
  await services.jobs.runDue();
  for (const variant of Object.values(logoVariants)) expect(await isStored(variant)).toBe(false);
  expect(await services.db.selectFrom("asset").selectAll().execute()).toEqual([]);
  expect(await read(ada, "/cards/edit")).toContain("Save the card to add a logo");
});

async function openCard() {
  let now = Date.now();
  const app = await createTestApp({ clock: () => now });
  const ada = await app.signedIn();
  const id = await makeCard(ada);
  const readFile = async () => (await app.visitor().get(`/card/${id}/contact.vcf`)).text();
  return { ...app, ada, id, readFile, ownerId: await userIdOf(ada), pass: (time: number) => (now += time) };
}

/** As another program reads it. */
function parse(file: string) {
  const card = new ICAL.Component(ICAL.parse(file));
  return { photo: card.getFirstPropertyValue("photo")?.toString(), rev: String(card.getFirstPropertyValue("rev")) };
}
