import { describe, expect, test } from "vitest";

import { sitePages } from "#app/features/shell/crawlers/sitemap.ts";
import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { userIdOf, makePremium, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const base = "http://localhost:3000";
const engines = listEngines();

async function openOn(engine: "sqlite" | "postgres", { demo = "off" } = {}) {
  const { databaseUrl } = await makeDatabase(engine);
  let now = Date.now();
  const env = { DEMO: demo, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const product = await createTestApp({ env, clock: () => now });
  const sitemap = async (query = "") => {
    const response = await product.visitor().get(`/sitemap.xml${query}`);
    return { answer: response, ...read(await response.text()) };
  };
  return { ...product, sitemap, wait: (minutes: number) => (now += minutes * 60_000) };
}

/** A switch that is off isn't sent. */
function unlisted(change: Record<string, string> = {}) {
  const { isListed: _, ...form } = profileForm(change);
  return form;
}

function read(xml: string) {
  const addresses = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => unescaped(address));
  return { xml, addresses, paths: addresses.map((address) => address.slice(base.length)) };
}

const unescaped = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

describe.each(engines)("the sitemap, on %s", (engine) => {
  test("lists every public page, and no other", async () => {
    const { signedIn, services, visitor, sitemap, wait } = await openOn(engine, { demo: "on" });
    const ada = await signedIn("ada@example.com");
    await ada.post("/profile", profileForm({ handle: "ada-first" }));
    await ada.post("/profile", profileForm({ handle: "ada", version: "2" }));
    await makePremium(services, await userIdOf(ada));
    const [open, hidden, paused] = [await makeCard(ada), await makeCard(ada, { is_public: "" }), await makeCard(ada)];
    await ada.post(`/cards/${paused}/pause`, {});
    const secret = await signedIn("secret@example.com");
    const secretId = await userIdOf(secret);
    await secret.post("/profile", unlisted());
    const secretCard = await makeCard(secret);
    const untouched = await userIdOf(await signedIn("new@example.com"));
    const former = await signedIn("former@example.com");
    const formerId = await userIdOf(former);
    await former.post("/profile", profileForm());
    await makePremium(services, formerId, services.clock() + 3_600_000);
    const first = await makeCard(former);
    wait(0.1);
    const second = await makeCard(former);
    await services.db
      .updateTable("subscription")
      .set({ ends_at: services.clock() })
      .where("owner_id", "=", formerId)
      .execute();

    const { answer, paths } = await sitemap();
    expect(answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const people = paths.filter((path) => !sitePages.includes(path));
    const shownCards = await Promise.all([open, first, "demo-card"].map((id) => shortPathOf(visitor(), id)));
    const shown = ["/u/ada", `/u/${formerId}`, "/u/demo-user", ...shownCards];
    expect(people.toSorted()).toEqual(shown.toSorted());
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of [...shown, "/", "/pricing", "/credits"]) {
      const page = await visitor().get(path);
      expect(page.status, path).toBe(200);
      const { isListed, canonicals } = await readHead(page);
      expect([isListed, canonicals], path).toEqual([true, [base + path]]);
    }
    for (const path of [
      `/u/${secretId}`,
      `/card/${secretCard}`,
      `/card/${hidden}`,
      `/card/${paused}`,
      `/card/${second}`,
    ]) {
      const page = await visitor().get(path);
      expect((await readHead(page)).isListed && page.status === 200, path).toBe(false);
    }
    expect(paths.join(" ")).not.toContain(untouched);
  });

  test("has the last change of a page, for a card including its owner's name", async () => {
    const { signedIn, services, sitemap, visitor, wait } = await openOn(engine);
    const ada = await signedIn();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const card = await makeCard(ada);
    wait(600);
    const changed = new Date(services.clock()).toISOString();
    await ada.post("/profile", profileForm({ handle: "ada", displayName: "Ada L", version: "2" }));
    const { xml } = await sitemap();
    for (const path of ["/u/ada", await shortPathOf(visitor(), card)])
      expect(xml).toContain(`<url><loc>${base}${path}</loc><lastmod>${changed}</lastmod></url>`);
  });

  test("is regenerated after five minutes", async () => {
    const { signedIn, sitemap, wait } = await openOn(engine);
    const ada = await signedIn();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const { answer, paths } = await sitemap();
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(paths).toContain("/u/ada");
    await ada.post("/profile", unlisted({ handle: "ada", version: "2" }));
    wait(5);
    expect((await sitemap()).paths).not.toContain("/u/ada");
  });
});

describe("the sitemap of many pages", () => {
  test(
    "is an index of files with at most 10,000 addresses each, and each page stands in one of them",
    { timeout: 120_000 },
    async () => {
      const { services, sitemap } = await openOn("sqlite");
      const count = 25_000;
      await insertProfiles(services, count);
      const index = await sitemap();
      expect(index.xml).toContain("<sitemapindex");
      expect(index.paths).toEqual([
        "/sitemap.xml?site",
        ...[1, 2, 3].map((n) => `/sitemap.xml?profiles=${n}`),
        "/sitemap.xml?cards=1",
      ]);
      const files = await Promise.all(index.paths.map((path) => sitemap(path.slice("/sitemap.xml".length))));
      expect(files.map(({ addresses }) => addresses.length)).toEqual([sitePages.length, 10_000, 10_000, 5_000, 0]);
      expect(new Set(files.flatMap(({ paths }) => paths)).size).toBe(sitePages.length + count);
      // https://www.sitemaps.org/protocol.html: 50 MB.
      for (const { xml } of files) expect(Buffer.byteLength(xml)).toBeLessThan(5_000_000);
      expect((await sitemap("?profiles=4")).answer.status).toBe(404);
    },
  );

  test("handles a file that is exactly full", async () => {
    const { services, sitemap, wait } = await openOn("sqlite");
    await insertProfiles(services, 10_000);
    const { addresses, xml } = await sitemap();
    expect(xml).toContain("<urlset");
    expect(addresses).toHaveLength(10_000 + sitePages.length);
    await insertProfiles(services, 1, 10_000);
    wait(5);
    expect((await sitemap("?profiles=2")).addresses).toEqual([`${base}/u/owner-010000`]);
  });

  test.for(["0", "-1", "01", "1e3", "NaN", "9999999", "", "1 ", "٣", "99999"])("has no file %s", async (number) => {
    const { sitemap } = await openOn("sqlite");
    for (const name of ["profiles", "cards"]) {
      const { answer, xml } = await sitemap(`?${new URLSearchParams({ [name]: number })}`);
      expect([answer.status, xml]).toEqual([404, "There is nothing at this address."]);
    }
  });
});

describe("an unusual id", () => {
  test("is escaped for XML and URLs", async () => {
    const { services, sitemap } = await openOn("sqlite");
    const row = { display_name: "A", bio: "", version: 2, created_at: 1, updated_at: 1 };
    await services.db
      .insertInto("profile")
      .values({ ...row, owner_id: `<&>'"/é` })
      .execute();
    const { xml, paths } = await sitemap();
    expect(xml).not.toMatch(/<loc>[^<]*[<>"'&](?!#\d+;)[^<]*<\/loc>/);
    expect(paths).toContain(`/u/${encodeURIComponent(`<&>'"/é`)}`);
  });
});

async function insertProfiles({ db }: Awaited<ReturnType<typeof createTestApp>>["services"], count: number, from = 0) {
  const rows = Array.from({ length: count }, (_, at) => ({
    owner_id: `owner-${String(from + at).padStart(6, "0")}`,
    display_name: "Owner",
    bio: "",
    version: 2,
    created_at: 1,
    updated_at: 1,
  }));
  for (let at = 0; at < rows.length; at += 1_000)
    await db
      .insertInto("profile")
      .values(rows.slice(at, at + 1_000))
      .execute();
}
