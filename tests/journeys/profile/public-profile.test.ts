import * as fc from "fast-check";
import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, test } from "vitest";

import { findProfile } from "#app/features/profile/data.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, recordSave, userIdOf } from "#tests/support/app/profiles.ts";
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

  test("stay one JSON document for any name", { timeout: 60_000 }, async () => {
    const { save, read } = await openProfile();
    const piece = fc.constantFrom(
      "</script>",
      "<!--",
      "<script>",
      "]]>",
      "\\",
      '"',
      "\u2028",
      "&lt;",
      "</SCRIPT ",
      "x",
      "'",
      "{}",
    );
    const texts = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => `x${parts.join("")}`.slice(0, 50)),
      25,
    );
    for (const text of [...texts, "</script><script>alert(1)</script>", "<!--<script>"]) {
      const url = `https://ada.example/?${encodeURIComponent(text)}</script>`;
      expect((await save({ displayName: text, bio: text }, [{ label: text, url }])).status).toBe(302);
      const page = await read();
      const [document, ...others] = linkedData(page);
      expect(others).toEqual([]);
      expect(document?.mainEntity).toMatchObject({ name: textOfHeading(page), sameAs: [url] });
      expect(elements(parse(page), "script")).toHaveLength(2);
    }
  });

  test("use the current URL, and a new image URL after each save and upload", async () => {
    const { save, read, id, services } = await openProfile({ handle: "ada-one" });
    const heads = async (path: string) => {
      const page = await read(path);
      const [canonical, url] = [/rel="canonical" href="([^"]*)"/, /"og:url" content="([^"]*)"/].map(
        (tag) => tag.exec(page)?.[1],
      );
      return { canonical, url, image: /"og:image" content="([^"]*)"/.exec(page)?.[1] ?? "" };
    };
    const first = await heads("/u/ada-one");
    expect(first.canonical).toBe("http://localhost:3000/u/ada-one");
    expect(first.url).toBe(first.canonical);
    expect(first.image).toMatch(new RegExp(`^http://localhost:3000/u/${id}/preview\\.png\\?v=`));
    expect(await heads(`/u/${id}`)).toEqual(first);
    await save({ handle: "ada-two" });
    const second = await heads("/u/ada-two");
    expect(second.canonical).toBe("http://localhost:3000/u/ada-two");
    await services.db
      .updateTable("profile")
      .set({ banner_stem: `banners/${id}/banner_5` })
      .execute();
    await recordSave(services, id);
    const third = await heads("/u/ada-two");
    expect(new Set([first, second, third].map(({ image }) => image)).size).toBe(3);
  });
});

describe("an unlisted profile", () => {
  test("asks search engines not to list it and its cards, cached or not, and stays public", async () => {
    const { save, visitor, owner, id } = await openProfile();
    const card = await makeCard(owner);
    const form = profileForm({ version: "2" });
    delete form["isListed"];
    expect((await owner.post("/profile", form)).status).toBe(302);
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await visitor().get(`/u/${id}`);
      expect([response.status, response.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
      const page = await response.text();
      expect(page).toContain('<meta name="robots" content="noindex"/>');
      expect(linkedData(page)).toEqual([]);
    }
    const unlisted = await visitor().get(`/card/${card}`);
    expect([unlisted.status, unlisted.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
    expect(await unlisted.text()).toContain('<meta name="robots" content="noindex"/>');

    await save({ version: "3" });
    for (const path of [`/u/${id}`, `/card/${card}`]) {
      const listed = await visitor().get(path);
      expect(listed.headers.get("x-robots-tag")).toBeNull();
      expect(await listed.text()).not.toContain("noindex");
    }
  });
});

describe("links with a schedule", () => {
  test("appear and disappear on time without a save", async () => {
    const links = [
      { label: "GitHub", url: "https://github.com/ada", until: start + 2 * minute },
      { label: "Sale", url: "https://sale.example", from: start + minute },
    ];
    const { time, read } = await openProfile({}, links);
    const shown = async () => {
      const page = await read();
      const counts = [...page.matchAll(/class="count">(\d)/g)].map(([, count]) => count).join();
      const links = ["github.com/ada", "sale.example"].filter((url) => page.includes(`href="https://${url}`));
      return { counts, links };
    };
    expect(await shown()).toEqual({ counts: "", links: ["github.com/ada"] });
    time.now = start + minute;
    expect(await shown()).toEqual({ counts: "1,1", links: ["github.com/ada", "sale.example"] });
    time.now = start + 2 * minute;
    expect(await shown()).toEqual({ counts: "", links: ["sale.example"] });
    expect(await read()).not.toContain("github.com/ada");
  });

  test("are rejected when they end before they start or in a distant year, and nothing is lost", async () => {
    const { save, owner, id, services } = await openProfile();
    const invalid = [
      { label: "Late", url: "https://late.example", from: start + minute, until: start },
      { label: "Far", url: "https://far.example", until: 9e14 },
    ];
    const response = await save({}, invalid);
    expect(response.status).toBe(422);
    const page = await response.text();
    for (const text of ["The end must be after the start", "Choose a date between the years 2000 and 2099."])
      expect(page).toContain(text);
    expect(page).toContain(`name="links.0.until" value="${start}"`);
    expect((await findProfile(services.db, id))?.links).toEqual([]);
    expect((await owner.get("/profile")).status).toBe(200);
  });

  test("keep their times in a form without script, in hidden fields", async () => {
    const { owner } = await openProfile({}, [{ label: "Sale", url: "https://sale.example", from: start, until: null }]);
    const page = await (await owner.get("/profile")).text();
    expect(page).toContain(`<input type="hidden" name="links.0.from" value="${start}"/>`);
    expect(page).toContain("Shown from Nov 24, 2026, 08:00 UTC");
  });
});

describe("the other tab", () => {
  test("is open to everyone while Premium can't be bought, even after Premium has ended", async () => {
    const link = { label: "GitHub", url: "https://github.com/ada" };
    const { save, read, services, id } = await openProfile({}, [link]);
    expect((await save({ version: "2" }, [{ ...link, tab: "personal" }])).status).toBe(302);
    const isPersonal = async () => /Personal Links.*github\.com\/ada/s.test(await read());
    expect(await isPersonal()).toBe(true);

    await makePremium(services, id, 1);
    expect(await isPersonal()).toBe(true);
    const [stored] = (await findProfile(services.db, id))?.links ?? [];
    expect((await save({ version: "3", bio: "Later" }, stored ? [stored] : [])).status).toBe(302);
    expect((await findProfile(services.db, id))?.links[0]?.tab).toBe("personal");
  });
});

type LinkedPerson = { name: string; sameAs?: string[] };

/** The contents of a page's JSON-LD scripts, extracted by an HTML parser. */
function linkedData(page: string): { mainEntity: LinkedPerson }[] {
  return elements(parse(page), "script")
    .filter(({ attrs }) => attrs.some(({ name, value }) => name === "type" && value === "application/ld+json"))
    .map((script) => JSON.parse(textOf(script)));
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function elements(node: Node, tag: string): Element[] {
  const below = "childNodes" in node ? node.childNodes.flatMap((child) => elements(child, tag)) : [];
  return "tagName" in node && node.tagName === tag ? [node, ...below] : below;
}

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

function textOfHeading(page: string): string {
  const [heading] = elements(parse(page), "h1");
  return heading ? textOf(heading) : "";
}
