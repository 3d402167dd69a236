import { describe, expect, test } from "vitest";

import { sitePages } from "#app/features/crawlers/sitemap.ts";
import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { userIdOf, makePremium, profileForm } from "#tests/support/app/profiles.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

const base = "http://localhost:3000";

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

describe.each(listEngines())("the sitemap, on %s", (engine) => {
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
    const change = { ends_at: services.clock() };
    await services.db.updateTable("subscription").set(change).where("owner_id", "=", formerId).execute();

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
    const unlistedCards = [secretCard, hidden, paused, second].map((id) => `/card/${id}`);
    for (const path of [`/u/${secretId}`, ...unlistedCards]) {
      const page = await visitor().get(path);
      expect((await readHead(page)).isListed && page.status === 200, path).toBe(false);
    }
    expect(paths.join(" ")).not.toContain(untouched);
  });

  test("has the last change of a page, for a card including its owner's name, and is regenerated after five minutes", async () => {
    const { signedIn, services, sitemap, visitor, wait } = await openOn(engine);
    const ada = await signedIn();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const card = await makeCard(ada);
    wait(600);
    const changed = new Date(services.clock()).toISOString();
    await ada.post("/profile", profileForm({ handle: "ada", displayName: "Ada L", version: "2" }));
    const { xml, answer } = await sitemap();
    for (const path of ["/u/ada", await shortPathOf(visitor(), card)])
      expect(xml).toContain(`<url><loc>${base}${path}</loc><lastmod>${changed}</lastmod></url>`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    await ada.post("/profile", unlisted({ handle: "ada", version: "3" }));
    wait(5);
    expect((await sitemap()).paths).not.toContain("/u/ada");
  });
});

test("the sitemap of many pages is an index of files with at most 10,000 addresses, each page in one of them", async () => {
  const { services, sitemap, wait } = await openOn("sqlite");
  await insertProfiles(services, 10_000);
  const full = await sitemap();
  expect(full.xml).toContain("<urlset");
  expect(full.addresses).toHaveLength(10_000 + sitePages.length);
  await insertProfiles(services, 2, 10_000);
  wait(60);
  // Until maintenance has split it, the file has them too.
  expect((await sitemap()).addresses).toHaveLength(10_002 + sitePages.length);
  await runMaintenance(features, services);
  await insertProfiles(services, 1, 10_002);
  const index = await sitemap();
  expect(index.xml).toContain("<sitemapindex");
  const files = ["?site", "?profiles=1", "?profiles=2", "?cards=1"];
  expect(index.paths).toEqual(files.map((file) => `/sitemap.xml${file}`));
  const pages = await Promise.all(files.map(sitemap));
  expect(pages.map(({ addresses }) => addresses.length)).toEqual([sitePages.length, 10_001, 2, 0]);
  expect(new Set(pages.flatMap(({ paths }) => paths)).size).toBe(sitePages.length + 10_003);
  // https://www.sitemaps.org/protocol.html: 50 MB.
  for (const { xml } of pages) expect(Buffer.byteLength(xml)).toBeLessThan(5_000_000);
  expect((await sitemap("?profiles=3")).answer.status).toBe(404);
});

test("the sitemap has no other files", async () => {
  const { sitemap } = await openOn("sqlite");
  for (const number of ["0", "-1", "01", "1e3", "9999999", "", "1 ", "٣", "99999"]) {
    for (const name of ["profiles", "cards"]) {
      const { answer, xml } = await sitemap(`?${new URLSearchParams({ [name]: number })}`);
      expect([number, answer.status, xml]).toEqual([number, 404, "There is nothing at this address."]);
    }
  }
});

test("an unusual id is escaped for XML and URLs", async () => {
  const { services, sitemap } = await openOn("sqlite");
  await insertProfiles(services, [`<&>'"/é`]);
  const { xml, paths } = await sitemap();
  expect(xml).not.toMatch(/<loc>[^<]*[<>"'&](?!#\d+;)[^<]*<\/loc>/);
  expect(paths).toContain(`/u/${encodeURIComponent(`<&>'"/é`)}`);
});

/** Saved profiles with these ids, or so many, numbered from `from`. */
async function insertProfiles({ db }: TestApp["services"], ids: number | string[], from = 0) {
  const list = typeof ids === "number" ? Array.from({ length: ids }, (_, at) => `owner-${from + at}`) : ids;
  const row = { display_name: "Owner", bio: "", version: 2, created_at: 1, updated_at: 1 };
  for (let at = 0; at < list.length; at += 1_000)
    await insertRows({ db }, { profile: list.slice(at, at + 1_000).map((owner_id) => ({ owner_id, ...row })) });
}
