import { describe, expect, test } from "vitest";
import { z } from "zod";

import { findProfile } from "#app/features/profile/data.server.ts";
import { findPassDesign } from "#app/features/wallet/data.server.ts";
import { loadPassEditor, writeDesign } from "#app/features/wallet/design/design-data.server.ts";
import { toPassDesign } from "#app/features/wallet/design/pass-form.ts";
import { loadIssuedContent } from "#app/features/wallet/pass-content.server.ts";
import { passContent } from "#app/features/wallet/pass-content.ts";
import { defaultPassDesign } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import { transact } from "#app/services/database/database.server.ts";
import { baseOf, fieldValue, makeCard, makeOnlyUserPremium, pendingToast } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, uploadFile } from "#tests/support/app/uploads.ts";
import { bearerOf, callFunction } from "#tests/support/app/visitor.ts";

const links = { "links.1.name": "Code", "links.1.url": "code.example/ada" };
const fields = { background: "default:washi", logo: "default", shows_email: "on", has_qr_label: "on" };

async function openDesign(more: Record<string, string> = {}) {
  const { ada, ...product } = await createSignedInApp();
  const id = await makeCard(ada, { ...links, ...more });
  const path = `/cards/${id}/pass`;
  const open = async () => (await ada.get(path)).text();
  const stored = () => findPassDesign(product.services.db, id);
  return { ...product, ada, id, path, open, stored };
}

/** The names of the fields with the positions of the card's two links. */
function positionsIn(page: string): [string, string] {
  const [first = "", second = ""] = [...page.matchAll(/name="(position\.[^"]+)"/g)].map(([, name]) => name);
  return [first, second];
}

describe("the design of a pass", () => {
  test("is saved by a form without script, and the page then shows it", async () => {
    const { ada, path, open, stored } = await openDesign();
    const page = await open();
    const [first, second] = positionsIn(page);
    const form = { ...fields, version: "0", base: baseOf(page), logo: "", [first]: "2", [second]: "1" };
    const saved = await ada.post(path, form);
    expect([saved.status, saved.headers.get("location")]).toEqual([302, path]);
    expect(pendingToast(ada)).toMatchObject({ title: "Updated" });
    expect(await stored()).toEqual({
      background: { kind: "default", id: "washi" },
      tint: "",
      logo: { kind: "none" },
      showsEmail: true,
      showsPhone: false,
      hasQrLabel: true,
      linkOrder: [second, first].map((name) => name.slice("position.".length)),
    });
    const again = await open();
    expect(/<input[^>]*value="default:washi"[^>]*>/.exec(again)?.[0]).toContain("checked");
    for (const name of ["logo", "shows_phone"]) expect(tagsNamed(again, name)[0], name).not.toContain(`checked=""`);
    expect(fieldValue(again, "version")).toBe("1");
    expect(again.indexOf(second)).toBeLessThan(again.indexOf(first));
  });

  test("that was saved is announced to the passes, and one that changed nothing is not", async () => {
    const { ada, path, open, services } = await openDesign();
    const kinds: string[] = [];
    const everywhere = ({ kind }: { kind: string }) => kinds.push(kind);
    services.events.subscribe({ name: "test", kinds: ["card.saved"], everywhere, missed: () => undefined });
    for (const version of ["0", "1"]) await ada.post(path, { ...fields, version, base: baseOf(await open()) });
    expect(kinds).toEqual(["card.saved"]);
  });

  test("merges two tabs, and asks about a field that both changed", async () => {
    const { ada, path, open, stored } = await openDesign();
    const form = { ...fields, background: "card", shows_phone: "on", version: "0", base: baseOf(await open()) };
    await ada.post(path, { ...form, background: "default:moon" });
    await ada.post(path, { ...form, logo: "" });
    expect(await stored()).toMatchObject({ background: { id: "moon" }, logo: { kind: "none" } });
    const late = await ada.post(path, { ...form, background: "default:rain" });
    expect(late.status).toBe(409);
    const question = await late.text();
    for (const text of ["Moon", "Rain", "also changed in another tab"]) expect(question).toContain(text);
    const replaces = fieldValue(question, "replaces");
    const chosen = { background: "default:rain", replaces, "keep.background": "mine" };
    expect((await ada.post(path, { ...form, ...chosen })).status).toBe(302);
    expect(await stored()).toMatchObject({ background: { id: "rain" } });
  });

  test("keeps a new order of the links when the card got another link in the meantime", async () => {
    const { ada, id, path, open, stored, services } = await openDesign();
    const page = await open();
    const [first, second] = positionsIn(page);
    const card = services.db.selectFrom("card").select("professional_links").where("id", "=", id);
    const links = JSON.parse((await card.executeTakeFirstOrThrow()).professional_links);
    const added = JSON.stringify([...links, { ...links[0], id: "added" }]);
    await services.db.updateTable("card").set({ professional_links: added }).where("id", "=", id).execute();
    const form = { ...fields, version: "0", base: baseOf(page), [first]: "2", [second]: "1" };
    expect((await ada.post(path, form)).status).toBe(302);
    const ids = [second, first].map((name) => name.slice("position.".length));
    expect(await stored()).toMatchObject({ linkOrder: [...ids, "added"] });
  });

  test("is previewed with exactly what the pass of the card shows, on Free and on Premium", async () => {
    const { ada, id, services } = await openDesign({ phone: "", "visibility.email": "file" });
    await uploadFile(ada, "avatar", { bytes: await jpeg(), name: "a.jpg" });
    await ada.post("/profile", profileForm({ displayName: "Ada Lovelace", bio: "Notes.", theme: "ocean" }));
    const ownerId = await userIdOf(ada);
    const kept: PassDesign = { ...defaultPassDesign, tint: "#3a5f8c", background: { kind: "asset", key: "x" } };
    await transact(services.db, (trx) => writeDesign(trx, { ownerId, id, design: kept, now: 1 }));
    for (const isPremium of [false, true]) {
      if (isPremium) await makePremium(services, ownerId);
      const profile = await findProfile(services.db, ownerId);
      const editor = profile && (await loadPassEditor(services, { owner: { ...profile, id: ownerId }, cardId: id }));
      if (!editor) throw new Error("The editor is missing.");
      const design = toPassDesign(editor.stored.values) ?? defaultPassDesign;
      expect(passContent({ ...editor.source, design })).toEqual(await loadIssuedContent(services, id));
    }
  });

  test("says why its pass is void, where passes aren't set up, and what isn't included in the plan any more", async () => {
    const { ada, id, open, services } = await openDesign();
    const read = async () => visibleText(await open()).replaceAll("&#x27;", "'");
    const isVoid = "Phones that have its pass show it as no longer valid";
    const notIncluded = "Until you have it again, the pass shows the defaults.";
    const before = await read();
    expect(before).toContain("Wallet passes aren’t set up on this site yet");
    for (const text of [isVoid, notIncluded]) expect(before).not.toContain(text);
    await ada.post(`/cards/${id}/pause`, {});
    const design: PassDesign = { ...defaultPassDesign, tint: "#3a5f8c" };
    const ownerId = await userIdOf(ada);
    await transact(services.db, (trx) => writeDesign(trx, { ownerId, id, design, now: 1 }));
    const after = await read();
    expect(after).toMatch(new RegExp(`Paused by you.*${isVoid}`));
    expect(after).toContain(notIncluded);
  });

  test("is refused with values that no one may choose, and keeps what was chosen", async () => {
    const { ada, path, open, stored } = await openDesign();
    const form = { ...fields, background: "card", version: "0", base: baseOf(await open()) };
    const refusals: Record<string, string>[] = [
      { background: "default:nothing" },
      { background: "asset:pass-assets/ada/backgrounds/../../x" },
      { logo: "asset:avatars/someone/avatar_1" },
      { background: "" },
      { has_tint: "on", tint: "red" },
    ];
    for (const wrong of refusals) {
      const refused = await ada.post(path, { ...form, ...wrong });
      expect(refused.status, JSON.stringify(wrong)).toBe(422);
      expect(await refused.text()).toContain("Choose another one.");
    }
    expect(await stored()).toMatchObject({ background: { kind: "card" }, logo: { kind: "default" }, tint: "" });
  });

  test("has a tint on Premium only; after a downgrade it stays stored", async () => {
    const { ada, path, open, stored, services } = await openDesign();
    const tinted = { ...fields, has_tint: "on", tint: "#3A5F8C", version: "0", base: baseOf(await open()) };
    const refused = await ada.post(path, tinted);
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("part of Premium")]);
    await makeOnlyUserPremium(ada, services);
    expect((await ada.post(path, tinted)).status).toBe(302);
    expect(await stored()).toMatchObject({ tint: "#3a5f8c" });
    const page = await open();
    expect([tagsNamed(page, "has_tint")[0], fieldValue(page, "tint")]).toEqual([
      expect.stringContaining(`checked=""`),
      "#3a5f8c",
    ]);
    await ada.post(path, { ...fields, tint: "#3a5f8c", version: "1", base: baseOf(page) });
    expect(await stored()).toMatchObject({ tint: "" });
  });
});

describe("tint-image", () => {
  const imageUrl = "http://localhost:3000/pass-images/washi.jpg?v=1";

  test("returns the address of the tinted image, whoever the body names", async () => {
    const { ada, id, services, visitor } = await openDesign();
    await makeOnlyUserPremium(ada, services);
    const input = { imageUrl, tintColor: "#3A5F8C", userId: "someone", cardId: id };
    const { status, body } = await callFunction(ada, "tint-image", { input });
    expect(status).toBe(200);
    const tinted = await ada.get(String(body["newUrl"]));
    const ofToken = await visitor().get(String(body["newUrl"]), bearerOf(ada));
    expect([ofToken.status, ofToken.headers.get("etag")]).toEqual([200, tinted.headers.get("etag")]);
    const plain = await visitor().get(imageUrl);
    expect([tinted.status, tinted.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(tinted.headers.get("etag")).not.toBe(plain.headers.get("etag"));
  });

  test("refuses what isn't there, isn't ours, or belongs to another user, with the messages of the catalogue", async () => {
    const { ada, id, services, signedIn } = await openDesign();
    const input = { imageUrl, tintColor: "#3a5f8c", cardId: id };
    const call = async (more: object, caller = ada) => {
      const { status, body } = await callFunction(caller, "tint-image", { input: { ...input, ...more } });
      return [status, body["error"]];
    };
    expect(await call({})).toEqual([403, "A color tint is part of Premium."]);
    await makeOnlyUserPremium(ada, services);
    expect(await call({ imageUrl: "" })).toEqual([400, "An original image must be selected first."]);
    for (const wrong of [
      { imageUrl: "https://evil.example/pass-images/washi.jpg" },
      { imageUrl: "/pass-images/../files/resumes/x" },
      { imageUrl: "/pass-images/nothing.jpg" },
      { imageUrl: "::" },
      { tintColor: "" },
      { tintColor: "red" },
      { tintColor: 5 },
    ])
      expect(await call(wrong), JSON.stringify(wrong)).toEqual([400, expect.any(String)]);
    expect(await call({ cardId: "another" })).toEqual([404, "This card no longer exists."]);
    expect(await call({}, await signedIn("bob@example.com"))).toEqual([404, "This card no longer exists."]);
  });
});

const listed = z.array(
  z.object({ id: z.string(), description: z.string(), urls: z.object({ raw: z.url(), small: z.url() }) }),
);

test("get-default-images lists our backgrounds, whose addresses are images", async () => {
  const { ada, ...product } = await createSignedInApp();
  const { status, body } = await callFunction(ada, "get-default-images");
  expect(status).toBe(200);
  const images = listed.parse(body);
  expect(images.length).toBeGreaterThanOrEqual(24);
  for (const url of Object.values(images[0]?.urls ?? {})) {
    const response = await product.visitor().request(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    expect(response.headers.get("cache-control")).toContain("public");
    const etag = response.headers.get("etag") ?? "";
    const again = await product.visitor().request(url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  }
});

test("there is no other background, and a tinted one only for signed-in users", async () => {
  const { signedIn, visitor } = await createTestApp();
  const names = ["nothing.jpg", "washi.png", "washi", "..%2fwashi.jpg", "washi-small-small.jpg", "washi.jpg?tint=red"];
  const tinted = "washi.jpg?tint=3a5f8c";
  for (const name of [...names, tinted]) expect((await visitor().get(`/pass-images/${name}`)).status, name).toBe(404);
  const ada = await signedIn();
  expect((await ada.get(`/pass-images/${tinted}`)).headers.get("content-type")).toBe("image/jpeg");
});
