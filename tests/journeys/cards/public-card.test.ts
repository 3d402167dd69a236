import { createHash } from "node:crypto";

import ICAL from "ical.js";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { removeAsset, storeAsset } from "#app/features/uploads/data.server.ts";
import { fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { cardFields, fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { makeFree, makePremium, profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, readHead, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { photo, plainImage } from "#tests/support/app/uploads.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const ownColor = { accent: "own", accent_color: "#3A5F8C" };

async function openApp() {
  const { ada, ...app } = await createSignedInApp();
  const open = (id: string) => app.visitor().get(`/card/${id}`);
  /** The classes of the card on its page, the themes of the page and the card, and the styles. */
  const read = async (id: string) => {
    const elements = readElements(await (await open(id)).text());
    const classOf = ({ attributes }: (typeof elements)[number]) => (attributes["class"] ?? "").split(" ");
    const [page] = elements.filter(({ tag }) => tag === "main");
    const [card] = elements.filter((element) => element.tag === "section" && classOf(element).includes("card"));
    return {
      classes: card && classOf(card),
      themes: [page, card].map((element) => element?.attributes["data-theme"]),
      styles: elements.filter(({ tag }) => tag === "style").map(({ text }) => text),
    };
  };
  return { ...app, ada, open, read, ownerId: await userIdOf(ada) };
}

test("visitors see the design of a card, by a style that the page's policy allows by its hash", async () => {
  const { ada, open, read } = await openApp();
  const id = await makeCard(ada, { accent: "emerald", layout: "cover", paper: "dark" });
  const { classes, themes, styles } = await read(id);
  expect([classes, themes]).toEqual([
    ["card", "cover"],
    ["default", "ink"],
  ]);
  expect(styles.at(-1)).toContain("--brand:#6ee7b7");
  const policy = (await open(id)).headers.get("content-security-policy") ?? "";
  for (const css of styles) expect(policy).toContain(`'sha256-${createHash("sha256").update(css).digest("base64")}'`);
});

test("a card follows the theme of the profile when that changes", async () => {
  const { ada, open, read } = await openApp();
  const id = await makeCard(ada);
  expect((await read(id)).themes).toEqual(["default", "default"]);
  expect((await ada.post("/profile", profileForm({ theme: "ocean" }))).status).toBe(302);
  expect((await read(id)).themes).toEqual(["ocean", undefined]);
  expect((await readHead(await open(id))).metas["theme-color"]).toBe("#0d3b52");
});

test("accents of Premium need it to be chosen and shown, and stay stored after a downgrade", async () => {
  const { ada, read, services, ownerId } = await openApp();
  const id = await makeCard(ada, { layout: "centered" });
  const save = (more: Record<string, string>) =>
    ada.post(`/cards/edit/${id}`, { ...cardFields, layout: "centered", company: "Typed", ...more });
  const notSaved = expect.stringContaining("The color comes with Premium, so it stays as it was.");
  for (const [version, accent] of [{ accent: "rose" }, ownColor].entries()) {
    expect((await save({ ...accent, company: `Typed ${version}`, version: String(version + 1) })).status).toBe(302);
    expect(pendingToast(ada)).toMatchObject({ text: notSaved });
    const editor = await (await ada.get(`/cards/edit/${id}`)).text();
    expect(fieldValue(editor, "company")).toBe(`Typed ${version}`);
    expect(tagsNamed(editor, "accent").find((tag) => tag.includes("checked"))).toContain('value=""');
  }
  await makePremium(services, ownerId);
  expect((await save({ ...ownColor, version: "3" })).status).toBe(302);
  expect((await read(id)).styles.at(-1)).toContain("--brand:#3a5f8c");

  await makeFree(services, ownerId);
  const { classes, styles } = await read(id);
  expect([classes?.includes("centered"), styles.join().includes("--brand:#3a5f8c")]).toEqual([true, false]);
  expect((await save({ ...ownColor, company: "Saved", version: "4" })).status).toBe(302);
  expect((await save({ accent: "rose", version: "5" })).status).toBe(302);
  await makePremium(services, ownerId);
  expect((await read(id)).styles.at(-1)).toContain("--brand:#3a5f8c");
});

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
    await services.db.updateTable("profile").set({ avatar_key_prefix: keyPrefix }).execute();
    if (size !== undefined) await services.files.put(`${keyPrefix}.jpg`, new Uint8Array(size), "image/jpeg");
    const file = await readFile();
    expect(file).not.toContain("PHOTO");
    expect(file).toContain("EMAIL");
    expect(logLines).toContainEqual(expect.objectContaining({ msg: "a contact is shown without the image" }));
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
  const { ada, ...app } = await createSignedInApp({ clock: () => now });
  const id = await makeCard(ada);
  const readFile = async () => (await app.visitor().get(`/card/${id}/contact.vcf`)).text();
  return { ...app, ada, id, readFile, ownerId: await userIdOf(ada), pass: (time: number) => (now += time) };
}

/** As another program reads it. */
function parse(file: string) {
  const card = new ICAL.Component(ICAL.parse(file));
  return { photo: card.getFirstPropertyValue("photo")?.toString(), rev: String(card.getFirstPropertyValue("rev")) };
}

const secret = {
  company: "Hidden Company",
  email: "hidden@example.com",
  phone: "+1 555 0199",
  profession: "Hidden Profession",
};

/** Every public form of a card. */
const forms = ["", "/contact.vcf", "/pass.pkpass", "/qr.svg", "/qr.png", "/qr.png?size=128", "?q"];

test("a private card is found in no form and only in its owner's list and editor, until it is public again", async () => {
  const { ada, signedIn, visitor } = await createSignedInApp({ env: walletSettings });
  const id = await makeCard(ada, secret);
  const guest = visitor();
  const statuses = () => Promise.all(forms.map(async (form) => (await guest.get(`/card/${id}${form}`)).status));
  expect(await statuses()).toEqual(forms.map(() => 200));
  await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, version: "1" });
  expect(await statuses()).toEqual(forms.map(() => 404));

  const hidden = [...forms.map((form) => `/card/${id}${form}`), `/cards/edit/${id}`];
  for (const person of [guest, await signedIn("eve@example.com")])
    for (const path of hidden) {
      const body = await (await person.get(path)).text();
      for (const word of Object.values(secret)) expect(body, path).not.toContain(word);
    }
  const page = await guest.get(`/card/${id}`);
  const text = visibleText(await page.clone().text()).replaceAll("&#x27;", "'");
  expect(text).toContain("Card Not Found");
  expect(text).toContain("This business card doesn't exist or is not publicly available.");
  const { isListed, metas } = await readHead(page);
  expect([isListed, Object.keys(metas).filter((name) => name.startsWith("og:"))]).toEqual([false, []]);
  expect(await (await ada.get("/profile")).text()).toContain("Not public");
  expect(await (await ada.get(`/cards/edit/${id}`)).text()).toContain(secret.company);

  await ada.post(`/cards/edit/${id}`, { card_name: "Card", ...secret, is_public: "on", version: "2" });
  expect(await statuses()).toEqual(forms.map(() => 200));
});
