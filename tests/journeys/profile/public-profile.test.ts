import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { cardFields, fieldValue, makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, readHead, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";

const start = Date.UTC(2026, 10, 24, 8);
const minute = 60_000;

/** A saved profile with these `values`, and a clock that the test moves. */
async function openProfile(...[values = {}, links = []]: Partial<Parameters<typeof profileForm>>) {
  const time = { now: start };
  const { ada: owner, ...app } = await createSignedInApp({ clock: () => time.now });
  const id = await userIdOf(owner);
  let version = 1;
  const save = (...form: Parameters<typeof profileForm>) =>
    owner.post("/profile", profileForm({ version: String(version++), ...form[0] }, form[1]));
  await save(values, links);
  const read = async (path = `/u/${id}`) => (await app.visitor().get(path)).text();
  return { ...app, time, owner, id, save, read };
}

describe("structured data and link previews", () => {
  test("describe the owner, the page and their links", async () => {
    const links = [
      { label: "GitHub", url: "https://github.com/ada" },
      { label: "Mail", url: "mailto:ada@example.com" },
      { label: "Off", url: "https://off.example", on: false },
      { label: "Later", url: "https://later.example", from: start + minute },
    ];
    const { read, id, services } = await openProfile({ handle: "ada-l" }, links);
    const keyPrefix = `avatars/${id}/avatar_1790000000000`;
    await services.db.updateTable("profile").set({ avatar_key_prefix: keyPrefix }).execute();
    await recordSave(services, id);
    expect(linkedData(await read("/u/ada-l"))).toEqual([
      {
        "@context": "https://schema.org",
        "@type": "ProfilePage",
        mainEntity: {
          "@type": "Person",
          name: "Ada Lovelace",
          description: "Notes on the engine.",
          image: `http://localhost:3000/files/${keyPrefix}.jpg?v=mubbs7i8`,
          url: "http://localhost:3000/u/ada-l",
          sameAs: ["https://github.com/ada"],
        },
      },
    ]);
  });

  test("stay one JSON document for any name", async () => {
    const { save, read } = await openProfile();
    for (const text of ["</script><script>alert(1)</script>", "<!--<script>", "x]]>\\\"'{}", "x&lt;\u2028</SCRIPT "]) {
      const url = `https://ada.example/?${encodeURIComponent(text)}</script>`;
      expect((await save({ displayName: text, bio: text }, [{ label: text, url }])).status).toBe(302);
      const elements = readElements(await read());
      const name = elements.find(({ tag }) => tag === "h1")?.text;
      expect(linkedData(await read())).toMatchObject([{ mainEntity: { name, sameAs: [url] } }]);
      expect(elements.filter(({ tag }) => tag === "script")).toHaveLength(2);
    }
  });

  test("use the current URL, and a new image URL after each save and upload", async () => {
    const { save, visitor, id, services } = await openProfile({ handle: "ada-one" });
    const heads = async (path: string) => {
      const { canonicals, metas } = await readHead(await visitor().get(path));
      return { canonicals, url: metas["og:url"], image: metas["og:image"] };
    };
    const first = await heads("/u/ada-one");
    const url = "http://localhost:3000/u/ada-one";
    const image = expect.stringMatching(new RegExp(`^http://localhost:3000/u/${id}/preview\\.png\\?v=`));
    expect(first).toEqual({ canonicals: [url], url, image });
    expect(await heads(`/u/${id}`)).toEqual(first);
    await save({ handle: "ada-two" });
    const second = await heads("/u/ada-two");
    expect(second.canonicals).toEqual(["http://localhost:3000/u/ada-two"]);
    const change = { banner_key_prefix: `banners/${id}/banner_5` };
    await services.db.updateTable("profile").set(change).execute();
    await recordSave(services, id);
    const third = await heads("/u/ada-two");
    expect(new Set([first, second, third].map((head) => head.image)).size).toBe(3);
  });
});

test("an unlisted profile and its cards ask search engines not to list them, cached or not, and stay public", async () => {
  const { save, visitor, owner, id } = await openProfile();
  const paths = [`/u/${id}`, `/card/${await makeCard(owner)}`];
  const form = profileForm({ version: "2" });
  delete form["isListed"];
  expect((await owner.post("/profile", form)).status).toBe(302);
  for (const path of [...paths, ...paths]) {
    const response = await visitor().get(path);
    expect([response.status, response.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(linkedData(await response.clone().text())).toEqual([]);
    expect((await readHead(response)).metas["robots"]).toBe("noindex");
  }
  await save({ version: "3" });
  for (const path of paths) expect((await readHead(await visitor().get(path))).isListed).toBe(true);
});

test("links with a schedule appear and disappear on time without a save, and keep their times without script", async () => {
  const links = [
    { label: "GitHub", url: "https://github.com/ada", until: start + 2 * minute },
    { label: "Sale", url: "https://sale.example", from: start + minute },
  ];
  const { time, read, owner } = await openProfile({}, links);
  const shown = async () => {
    const page = await read();
    const shownLinks = ["github.com/ada", "sale.example"].filter((url) => page.includes(`href="https://${url}`));
    return { counts: /Professional (\d) Personal (\d)/.exec(visibleText(page))?.slice(1), links: shownLinks };
  };
  expect(await shown()).toEqual({ counts: ["1", "0"], links: ["github.com/ada"] });
  time.now = start + minute;
  expect(await shown()).toEqual({ counts: ["1", "1"], links: ["github.com/ada", "sale.example"] });
  time.now = start + 2 * minute;
  expect(await shown()).toEqual({ counts: ["0", "1"], links: ["sale.example"] });
  const editor = await (await owner.get("/profile")).text();
  expect(fieldValue(editor, "links.1.from")).toBe(String(start + minute));
  expect(visibleText(editor)).toContain("Shown from Nov 24, 2026, 08:01 UTC");
});

test("the other tab is open to everyone while Premium can't be bought, even after Premium has ended", async () => {
  const link = { label: "GitHub", url: "https://github.com/ada" };
  const { save, read, services, id } = await openProfile({}, [link]);
  expect((await save({}, [{ ...link, tab: "personal" }])).status).toBe(302);
  const isPersonal = async () => /Personal Links.*github\.com\/ada/s.test(await read());
  expect(await isPersonal()).toBe(true);
  await makePremium(services, id, 1);
  expect(await isPersonal()).toBe(true);
  const [stored] = (await findProfile(services.db, id))?.links ?? [];
  expect((await save({ bio: "Later" }, stored ? [stored] : [])).status).toBe(302);
  expect((await findProfile(services.db, id))?.links[0]?.tab).toBe("personal");
});

/** The contents of a page's JSON-LD scripts. */
function linkedData(page: string): unknown[] {
  return readElements(page)
    .filter(({ tag, attributes }) => tag === "script" && attributes["type"] === "application/ld+json")
    .map(({ text }) => JSON.parse(text));
}

const now = Date.UTC(2026, 10, 24, 8);

/** A Premium owner, and the id of the card whose contact file and page a visitor finds on their profile, by its short address. */
async function openOffer() {
  let time = now;
  const { ada: owner, ...app } = await createSignedInApp({ clock: () => time++ });
  const id = await userIdOf(owner);
  await makePremium(app.services, id);
  const offered = async () => {
    const page = await (await app.visitor().get(`/u/${id}`)).text();
    const links = readElements(page).filter(({ tag }) => tag === "a");
    const hrefOf = (text: string) => links.find((link) => link.text === text)?.attributes["href"];
    const [file, card] = [hrefOf("Save Contact"), hrefOf("Open card")];
    expect(file).toBe(card && `${card}/contact.vcf`);
    const code = /^\/c\/(\w{7})$/.exec(card ?? "")?.[1] ?? "";
    return (await app.services.db.selectFrom("card").select("id").where("code", "=", code).executeTakeFirst())?.id;
  };
  return { ...app, owner, id, offered };
}

describe("Save Contact on a profile", () => {
  test("opens the file and the page of one card, which no new, copied, imported or moved one replaces", async () => {
    const { owner, visitor, offered } = await openOffer();
    expect(await offered()).toBeUndefined();
    const first = await makeCard(owner);
    expect(await offered()).toBe(first);
    const file = await visitor().get(`/card/${first}/contact.vcf`);
    expect([file.status, await file.text()]).toEqual([200, expect.stringContaining("BEGIN:VCARD")]);
    const second = await makeCard(owner);
    await owner.post(`/cards/${first}/duplicate`, { id: crypto.randomUUID() });
    await owner.post(`/cards/${second}/move`, { to: "0" });
    expect(await offered()).toBe(first);
    await owner.post(`/cards/${second}/main`, { main: "on" });
    expect(await offered()).toBe(second);
    await makeCard(owner);
    expect(await offered()).toBe(second);
    await owner.post("/profile", profileForm());
    expect(await offered()).toBe(second);
  });

  test("follows the oldest public card while the chosen one is paused or private, and after it is deleted", async () => {
    const { owner, offered } = await openOffer();
    const [first, second, third] = [await makeCard(owner), await makeCard(owner), await makeCard(owner)];
    await owner.post(`/cards/${second}/main`, { main: "on" });
    await owner.post(`/cards/${second}/pause`, { pause: "on" });
    expect(await offered()).toBe(first);
    await owner.post(`/cards/${second}/pause`, { pause: "off" });
    expect(await offered()).toBe(second);
    await owner.post(`/cards/edit/${second}`, { ...cardFields, version: "1", is_public: "" });
    expect(await offered()).toBe(first);
    await owner.post(`/cards/${first}/delete`, {});
    expect(await offered()).toBe(third);
    const young = await makeCard(owner);
    expect(await offered()).toBe(third);
    for (const card of [third, young]) await owner.post(`/cards/${card}/delete`, {});
    expect(await offered()).toBeUndefined();
  });

  test("is the card that the owner's list marks, and no other owner chooses it", async () => {
    const { owner, offered, visitor } = await openOffer();
    const [first, second] = [await makeCard(owner), await makeCard(owner)];
    const marked = async () => (await (await owner.get("/profile")).text()).split("On your profile<").length - 1;
    expect(await marked()).toBe(1);
    expect((await visitor().post(`/cards/${second}/main`, { main: "on" })).status).not.toBe(200);
    const unknown = await owner.post("/cards/unknown/main", { main: "on", here: "on" });
    expect([unknown.status, await offered()]).toEqual([422, first]);
    await owner.post(`/cards/${first}/main`, { main: "off" });
    expect([await marked(), await offered()]).toEqual([0, undefined]);
  });

  test("is hidden at once, with the address of the card, when the owner hides it", async () => {
    const { owner, visitor, id, offered } = await openOffer();
    const card = await makeCard(owner);
    const path = await shortPathOf(visitor(), card);
    const first = `/u/${id}/card`;
    const reader = visitor();
    const etags: Record<string, string> = {};
    for (const address of [first, `/u/${id}`]) {
      const stored = await reader.get(address);
      etags[address] = stored.headers.get("etag") ?? "";
      expect((await reader.get(address, { "if-none-match": etags[address] })).status).toBe(304);
    }

    await owner.post(`/cards/${card}/main`, { main: "off" });
    expect(await offered()).toBeUndefined();
    const hidden = await reader.get(first, { "if-none-match": etags[first] ?? "" });
    expect([hidden.status, await hidden.text()]).toEqual([404, expect.stringContaining("Card Not Found")]);
    expect((await reader.get(`/u/${id}`, { "if-none-match": etags[`/u/${id}`] ?? "" })).status).toBe(200);
    expect((await owner.get(first)).status).toBe(404);
    expect((await reader.get(path)).status).toBe(200);

    await owner.post(`/cards/${card}/main`, { main: "on" });
    expect(await offered()).toBe(card);
    expect((await reader.get(first)).status).toBe(200);
  });
});
