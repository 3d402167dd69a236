import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, readHead, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const start = Date.UTC(2026, 10, 24, 8);
const minute = 60_000;

/** A saved profile with these `values`, and a clock that the test moves. */
async function openProfile(...[values = {}, links = []]: Partial<Parameters<typeof profileForm>>) {
  const time = { now: start };
  const app = await createTestApp({ clock: () => time.now });
  const owner = await app.signedIn();
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
    await services.db.updateTable("profile").set({ avatar_stem: keyPrefix }).execute();
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
    await services.db
      .updateTable("profile")
      .set({ banner_stem: `banners/${id}/banner_5` })
      .execute();
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
    return { hasTabs: /Professional 1 Personal 1/.test(visibleText(page)), links: shownLinks };
  };
  expect(await shown()).toEqual({ hasTabs: false, links: ["github.com/ada"] });
  time.now = start + minute;
  expect(await shown()).toEqual({ hasTabs: true, links: ["github.com/ada", "sale.example"] });
  time.now = start + 2 * minute;
  expect(await shown()).toEqual({ hasTabs: false, links: ["sale.example"] });
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
