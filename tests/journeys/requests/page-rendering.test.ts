import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import type { Services } from "#app/services/http/context.ts";
import { createToastCookies, redirectWithToast } from "#app/services/http/toast.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

describe("a public page rendered for a visitor", () => {
  test("has the elements and texts of the owner's, which is hydrated", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const links = [
      { label: "GitHub", url: "https://github.com/ada" },
      { label: "Music", url: "https://music.example" },
    ];
    const form = profileForm({ bio: "Notes on the engine." }, links);
    delete form["showBusinessCard"];
    await ada.post("/profile", form);
    for (const path of [`/u/${await userIdOf(ada)}`, `/card/${await makeCard(ada)}`]) {
      const toVisitor = await (await visitor().get(path)).text();
      const toOwner = await (await ada.get(path)).text();
      expect(toVisitor).toMatch(/^<!DOCTYPE html><html/);
      expect(toOwner).toMatch(/^<!DOCTYPE html><html/);
      expect(toVisitor).not.toContain("<!--");
      expect(toOwner).toContain("window.__reactRouterContext");
      const shown = comparableElements(toVisitor);
      expect(shown.length).toBeGreaterThan(50);
      expect(shown, path).toEqual(comparableElements(toOwner));
    }
  });

  test("is the same for a signed-in stranger, but for the notice on a profile", async () => {
    const { signedIn, visitor } = await createTestApp({ env: { DEMO: "on" } });
    const stranger = await signedIn();
    const id = await userIdOf(stranger);
    for (const [path, status, hasNotice] of [
      ["/u/demo-user", 200, true],
      ["/card/demo-card", 200, false],
      ["/u/nobody", 404, false],
      ["/card/none", 404, false],
      ["/u/demo-user/resume", 404, false],
    ] as const) {
      const responses = [await visitor().get(path), await stranger.get(path)];
      expect(responses.map((response) => response.status)).toEqual([status, status]);
      const policies = responses.map(({ headers }) => headers.get("content-security-policy"));
      expect(policies[1]).toBe(policies[0]);
      const [toVisitor = "", toStranger = ""] = await Promise.all(responses.map((response) => response.text()));
      const notice = noticeOf(toStranger);
      expect(toStranger.replace(notice, ""), path).toBe(toVisitor);
      expect(notice.includes("Viewing a Public Profile"), path).toBe(hasNotice);
      expect(notice.includes(`href="/u/${id}">Go to My Profile`), path).toBe(hasNotice);
    }
  });

  test("is neither stored for others nor taken from the cache when the viewer is signed in", async () => {
    const { signedIn, visitor } = await createTestApp({ env: { DEMO: "on" } });
    const [ada, eve] = [await signedIn(), await signedIn("eve@example.com")];
    const noticeFor = async (person: Visitor) => {
      const response = await person.get("/u/demo-user");
      const cacheControl = response.headers.get("cache-control");
      return { link: /href="([^"]*)">Go to My/.exec(await response.text())?.[1], cacheControl };
    };
    const own = async (person: Visitor) => ({
      link: `/u/${await userIdOf(person)}`,
      cacheControl: "private, no-cache",
    });
    for (let round = 0; round < 2; round++) {
      expect(await noticeFor(ada)).toEqual(await own(ada));
      expect(await noticeFor(visitor())).toEqual({ link: undefined, cacheControl: "no-cache" });
      expect(await noticeFor(eve)).toEqual(await own(eve));
    }
  });

  test("an unknown address shows the header of a signed-in user, without React", async () => {
    const { signedIn, visitor } = await createTestApp();
    const [toVisitor, toUser] = await Promise.all(
      [visitor(), await signedIn()].map(async (person) => (await person.get("/no/such/page")).text()),
    );
    expect(toVisitor).toContain(">Get Started<");
    expect(toUser).not.toContain(">Get Started<");
    expect(toUser).toContain(">Sign Out<");
    for (const html of [toVisitor, toUser]) {
      expect(html).toContain("Oops! Page not found");
      expect(html).not.toContain("window.__reactRouterContext");
    }
  });

  test("shows the message of an earlier page once, signed in or not", async () => {
    const { services, signedIn, visitor } = await createTestApp({ env: { DEMO: "on" } });
    for (const path of ["/u/demo-user", "/card/demo-card", "/no/such/page"]) {
      for (const person of [visitor(), await signedIn(`${path.length}@example.com`)]) {
        leaveToast(person, services);
        const html = await (await person.get(path)).text();
        expect(textOfToast(html)).toBe("Signed in");
        // A public page loads nothing but the message's styles.
        const loaded = readElements(html).filter(({ attributes }) => attributes["rel"] === "stylesheet");
        if (path !== "/no/such/page")
          expect(loaded.map(({ attributes }) => attributes["href"])).toEqual([expect.stringContaining("toast")]);
        expect(html).not.toContain("window.__reactRouterContext");
        expect(textOfToast(await (await person.get(path)).text())).toBeUndefined();
      }
      expect(textOfToast(await (await visitor().get(path)).text())).toBeUndefined();
    }
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
  return [...head, ...readElements(main.replace(noticeOf(main), ""))];
}

/** The read-only notice of a stranger, or the owner's bar; "" when there is neither. */
function noticeOf(html: string): string {
  return /<aside class="notice">.*?<\/aside>/s.exec(html)?.[0] ?? "";
}

function leaveToast({ cookies }: Visitor, services: Services) {
  const response = redirectWithToast("/", { title: "Signed in", tone: "success" });
  const [name = "", value = ""] = createToastCookies(services).takeCookie(response.headers)?.split(/=|;/) ?? [];
  cookies.set(name, value);
}

function textOfToast(html: string): string | undefined {
  return /<dialog open="" class="ui-toast".*?<strong>([^<]*)/s.exec(html)?.[1];
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
