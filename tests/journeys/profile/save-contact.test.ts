import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const now = Date.UTC(2026, 10, 24, 8);

/** A Premium owner, and the id of the card whose contact file and page a visitor finds on their profile, by its short address. */
async function openProfile() {
  let time = now;
  const app = await createTestApp({ clock: () => time++ });
  const owner = await app.signedIn();
  const id = await userIdOf(owner);
  await makePremium(app.services, id);
  const offered = async () => {
    const page = await (await app.visitor().get(`/u/${id}`)).text();
    const links = readElements(page).filter(({ tag }) => tag === "a");
    const hrefOf = (text: string) => links.find((link) => link.text === text)?.attributes["href"];
    const [file, card] = [hrefOf("Save Contact"), hrefOf("Open Card")];
    expect(file).toBe(card && `${card}/contact.vcf`);
    const code = /^\/c\/(\w{7})$/.exec(card ?? "")?.[1] ?? "";
    return (await app.services.db.selectFrom("card").select("id").where("code", "=", code).executeTakeFirst())?.id;
  };
  return { ...app, owner, id, offered };
}

describe("Save Contact on a profile", () => {
  test("opens the file and the page of the first public card in the owner's order, at once", async () => {
    const { owner, visitor, offered } = await openProfile();
    expect(await offered()).toBeUndefined();
    const first = await makeCard(owner);
    expect(await offered()).toBe(first);
    const file = await visitor().get(`/card/${first}/contact.vcf`);
    expect([file.status, await file.text()]).toEqual([200, expect.stringContaining("BEGIN:VCARD")]);
    const second = await makeCard(owner);
    expect(await offered()).toBe(second);
    expect((await owner.post(`/cards/${first}/move`, { to: "0" })).status).toBeLessThan(400);
    expect(await offered()).toBe(first);
    await owner.post(`/cards/${first}/pause`, { pause: "on" });
    expect(await offered()).toBe(second);
    await owner.post(`/cards/${second}/delete`, {});
    expect(await offered()).toBeUndefined();
  });

  test("opens the card that the owner chose, while visitors can open that one", async () => {
    const { owner, offered } = await openProfile();
    const [first, second] = [await makeCard(owner), await makeCard(owner)];
    const saved = await owner.post("/profile", profileForm({ contactCardId: first }));
    expect(saved.status).toBe(302);
    expect(await offered()).toBe(first);
    expect(await (await owner.get("/profile")).text()).toContain(`<option value="${first}" selected="">`);
    await owner.post(`/cards/${first}/pause`, { pause: "on" });
    expect(await offered()).toBe(second);
    await owner.post(`/cards/${first}/pause`, { pause: "off" });
    expect(await offered()).toBe(first);
  });

  test("is hidden at once, with the address of the first card, when the owner chooses no card", async () => {
    const { owner, visitor, id, offered } = await openProfile();
    const card = await makeCard(owner);
    const path = await shortPathOf(visitor(), card);
    expect(await (await owner.get("/profile")).text()).toContain('<option value="none">No card</option>');
    const first = `/u/${id}/card`;
    const reader = visitor();
    const etags: Record<string, string> = {};
    for (const address of [first, `/u/${id}`]) {
      const stored = await reader.get(address);
      etags[address] = stored.headers.get("etag") ?? "";
      expect((await reader.get(address, { "if-none-match": etags[address] })).status).toBe(304);
    }

    await owner.post("/profile", profileForm({ contactCardId: "none" }));
    expect(await offered()).toBeUndefined();
    const hidden = await reader.get(first, { "if-none-match": etags[first] ?? "" });
    expect([hidden.status, await hidden.text()]).toEqual([404, expect.stringContaining("Card Not Found")]);
    expect((await reader.get(`/u/${id}`, { "if-none-match": etags[`/u/${id}`] ?? "" })).status).toBe(200);
    expect((await owner.get(first)).status).toBe(404);
    expect((await reader.get(path)).status).toBe(200);
    expect(await (await owner.get("/profile")).text()).toContain('<option value="none" selected="">');

    await owner.post("/profile", profileForm({ contactCardId: "", version: "2" }));
    expect(await offered()).toBe(card);
    expect((await reader.get(first)).status).toBe(200);
  });
});
