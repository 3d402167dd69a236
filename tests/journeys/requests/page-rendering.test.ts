import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { Services } from "#app/services/http/context.ts";
import { createToastCookies, redirectWithToast } from "#app/services/http/toast.server.ts";
import { makeCard, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, textWith } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { countQueries } from "#tests/support/database/count-queries.ts";

describe("a public page rendered for a visitor", () => {
  test("has the elements and texts of the owner's, which is hydrated", async () => {
    const { ada, visitor } = await createSignedInApp();
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
    const { ada: stranger, visitor } = await createSignedInApp({ env: { DEMO: "on" } });
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
    const { ada, services, visitor } = await createSignedInApp();
    await ada.post("/profile", profileForm({ handle: "ada" }));
    const card = await makeCard(ada);
    const id = await userIdOf(ada);
    await services.counter.flush();
    // The table `rendered_page` belongs to the page cache.
    const queries = countQueries(services, (query) => !query.includes('"rendered_page"'));
    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) {
      queries.count = 0;
      expect((await visitor().get(path)).status).toBe(200);
      expect(queries.count, path).toBe(1);
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

const codes = ["/qr.svg", "/qr.png", "/qr.png?size=128", "/qr.png?logo=seal", "/qr.svg?size=bad"];
const forms = ["", "/", "?q", ".data", "/contact.vcf", "/preview.png", "/signature.png", ...codes];

test("a card that isn't public gives the same bytes as an unknown card, whether private or paused, in every format", async () => {
  const { ada, signedIn, services, visitor } = await createSignedInApp();
  await makeOnlyUserPremium(ada, services);
  const oldest = await makeCard(ada);
  const paused = await makeCard(ada);
  const hidden = await makeCard(ada, { is_public: "" });
  await services.db.deleteFrom("subscription").execute();
  expect((await visitor().get(`/card/${oldest}`)).status).toBe(200);
  const people = { visitor: visitor(), other: await signedIn("eve@example.com"), owner: ada };
  for (const [who, person] of Object.entries(people)) {
    await person.get("/pricing");
    for (const form of forms) {
      for (const method of form.length < 2 ? ["GET", "HEAD"] : ["GET"]) {
        const unknown = await answerOf(person, crypto.randomUUID(), { form, method });
        expect(unknown.status).toBe(404);
        for (const id of [paused, hidden]) {
          expect(await answerOf(person, id, { form, method }), `${who} ${method} ${form}`).toEqual(unknown);
        }
      }
    }
  }
  await services.counter.flush();
  const counted = await services.db.selectFrom("hourly_count").select("subject").execute();
  expect(new Set(counted.map(({ subject }) => subject))).toEqual(new Set([`card:${oldest}`]));
});

async function answerOf(person: Visitor, id: string, { form, method }: { form: string; method: string }) {
  const answer = await person.request(`/card/${id}${form}`, { method });
  const alike = (text: string) =>
    text
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id")
      .replaceAll(/nonce[^ >;]*/g, "")
      .replaceAll(/[\da-f]{8}-[\da-z]+/g, "request");
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${alike(value)}`);
  return { status: answer.status, headers, body: alike(await answer.text()) };
}

test("an address with an old or capitalized handle redirects to the profile's current address and keeps the rest of the path", async () => {
  const { ada, visitor } = await createSignedInApp();
  await ada.post("/profile", profileForm({ handle: "ada-one" }));
  await ada.post("/profile", profileForm({ handle: "ada-two", version: "2" }));
  for (const [from, to] of [
    ["/u/ada-one", "/u/ada-two"],
    ["/u/ADA-ONE?q&utm_source=x", "/u/ada-two?q=&utm_source=x"],
    ["/u/Ada-Two?n", "/u/ada-two?n="],
    ["/u/ada-one/", "/u/ada-two/"],
    ["/u/ada-one/qr.svg?size=200", "/u/ada-two/qr.svg?size=200"],
    ["/u/ada-one/preview.png?v=1", "/u/ada-two/preview.png?v=1"],
    ["/u/ADA-ONE/resume?download", "/u/ada-two/resume?download="],
  ] as const) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await visitor().request(from, { method });
      expect(answer.status, from).toBe(301);
      expect(answer.headers.get("location")).toBe(to);
      // A browser that cached it would redirect in a loop once the owner takes the old handle again.
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    }
  }
  await ada.post("/profile", profileForm({ handle: "ada-one", version: "3" }));
  expect((await visitor().get("/u/ada-one")).status).toBe(200);
  expect((await visitor().get("/u/ada-two?q")).headers.get("location")).toBe("/u/ada-one?q=");
  await ada.post("/profile", profileForm({ handle: "", version: "4" }));
  expect((await visitor().get("/u/ada-one")).headers.get("location")).toBe(`/u/${await userIdOf(ada)}`);
});

describe("other methods than GET", () => {
  test("HEAD returns the headers of GET without a body", async () => {
    const { visitor } = await createTestApp({ env: { DEMO: "on" } });
    const files = ["/u/demo-user/qr.svg", "/u/demo-user/qr.png", "/card/demo-card/contact.vcf", "/card/demo-card.data"];
    const pages = ["/u/demo-user", "/card/demo-card", "/", "/auth", "/profile", "/nowhere", "/healthz"];
    for (const path of [...files, ...pages]) {
      const got = await visitor().get(path);
      const head = await visitor().request(path, { method: "HEAD" });
      expect(head.status, path).toBe(got.status);
      const said = ({ headers }: Response) => [...headers].filter(([name]) => !changing.includes(name));
      expect(said(head), path).toEqual(said(got));
      expect(await head.text()).toBe("");
    }
  });

  test("are rejected with a message, without a stack trace and without a change", async () => {
    const { ada, services } = await createSignedInApp({ env: { DEMO: "on" } });
    await makeCard(ada);
    const stored = () => services.db.selectFrom("card").selectAll().execute();
    const before = await stored();
    const origin = "http://localhost:3000";
    const cards = ["/card/demo-card", "/card/demo-card/contact.vcf", "/card/demo-card/qr.png"];
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "X"]) {
      for (const path of [...cards, "/", "/status", "/u/demo-user", "/healthz", "/nowhere", "/signup", "/dev/mail"]) {
        // The iPhone looks for an address book there: see tests/journeys/address-book.
        if (path === "/" && ["OPTIONS", "PROPFIND"].includes(method)) continue;
        const answer = await ada.request(path, { method, headers: { origin } });
        expect(answer.status, `${method} ${path}`).toBe(method === "POST" && isNoPage(path) ? 404 : 405);
        if (method !== "POST") expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
        expect(await answer.text()).not.toMatch(/\n\s+at .+:\d+:\d+/);
      }
    }
    expect(await stored()).toEqual(before);
  });
});

test("an unknown address shows the not-found page without scripts and logs only its path", async () => {
  const { visitor, logLines } = await createTestApp();
  for (const path of ["/nowhere", "/u", "/card/", "/u/a/b/c", "/.env", "/a%00b", "/api/auth/session"]) {
    const answer = await visitor().get(`${path}?token=secret`);
    const page = await textWith(404, answer, path);
    expect(page).toContain("Oops! Page not found");
    expect(page).not.toContain("<script src");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const line = logLines.find(({ id }) => id === answer.headers.get("x-request-id"));
    expect(line, path).toMatchObject({ method: "GET", path: path.replace("%00", "\u0000"), status: 404 });
  }
  expect(JSON.stringify(logLines)).not.toContain("secret");
});

test("a malformed address, which may contain a secret, is not written to the console", async () => {
  const { visitor } = await createTestApp();
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  for (const path of ["/%E0%A4%A", "/shared/%zz.secret", "/u/ada@example.com%"]) {
    const answer = await visitor().get(path);
    expect([answer.status, await answer.text()], path).toEqual([404, expect.stringContaining("Page not found")]);
  }
  expect(warn).not.toHaveBeenCalled();
});

const isNoPage = (path: string) => ["/nowhere", "/healthz"].includes(path);

const changing = ["x-request-id", "content-security-policy"];
