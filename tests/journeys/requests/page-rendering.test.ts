import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("a public page rendered for a visitor", () => {
  test.each(["/u/demo-user", "/card/demo-card"])("has the elements and texts of the hydrated one: %s", async (path) => {
    const { signedIn, visitor } = await createTestApp({ env: { DEMO: "on" } });
    const toVisitor = await (await visitor().get(path)).text();
    const toUser = await (await (await signedIn()).get(path)).text();
    expect(toVisitor).toMatch(/^<!DOCTYPE html><html/);
    expect(toUser).toMatch(/^<!DOCTYPE html><html/);
    expect(toVisitor).not.toContain("<!--");
    expect(toUser).toContain("window.__reactRouterContext");
    const shown = comparableElements(toVisitor);
    expect(shown.length).toBeGreaterThan(70);
    expect(shown).toEqual(comparableElements(toUser));
  });

  test("needs one query, by the owner's id, by the handle and for a card", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    const ada = await signedIn();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const card = await makeCard(ada);
    const id = await userIdOf(ada);
    await services.counter.flush();
    const counted = { queries: 0 };
    services.db = services.db.withPlugin(countQueries(counted));
    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) {
      counted.queries = 0;
      expect((await visitor().get(path)).status).toBe(200);
      expect(counted, path).toEqual({ queries: 1 });
    }
  });
});

/** What a reader and a search engine get: the head's facts and the page element, without what only signed-in users are shown. */
function comparableElements(html: string) {
  const head = readElements(html).filter(
    ({ tag, isSvg, attributes }) => (tag === "title" && !isSvg) || tag === "meta" || attributes["rel"] === "canonical",
  );
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  return [...head, ...readElements(main.replace(/<aside class="notice">.*?<\/aside>/s, ""))];
}

/** Counts the queries of pages. The table `rendered_page` belongs to the page cache. */
function countQueries(counted: { queries: number }): KyselyPlugin {
  const ofCache = new WeakSet<object>();
  return {
    transformQuery({ node, queryId }) {
      if (JSON.stringify(node).includes('"rendered_page"')) ofCache.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!ofCache.has(queryId)) counted.queries += 1;
      return result;
    },
  };
}
