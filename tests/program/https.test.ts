import { afterAll, expect, test } from "vitest";

import { readSource, sourceFiles } from "#tests/support/sources.ts";
import { liveThroughEverything, startHttpsSite } from "#tests/support/program/https-site.ts";

let lived: ReturnType<typeof live> | undefined;
afterAll(async () => (await lived)?.site.close());

/** One account's life, once for all tests: longer than a hook may take. */
const openSite = () => (lived ??= live());

async function live() {
  const site = await startHttpsSite();
  await site.program.isUp();
  return { site, secrets: await liveThroughEverything(site) };
}

const minute = 60;
const day = 24 * 60 * minute;

/** How long each cookie may last, in seconds. */
const longest: Record<string, number> = {
  "meishi.session_token": 7 * day,
  "meishi.device": 365 * day,
  "meishi.challenge": 10 * minute,
  "meishi.email_sign_in": 10 * minute,
  "meishi.sign_up": 7 * day,
  "meishi.sign_up_sent": 10 * minute,
  "meishi.oauth_state": 10 * minute,
  "meishi.app_return": 60 * minute,
  "meishi.wallet": 10 * minute,
  "meishi.connected": 10 * minute,
  "meishi.kept_card": day,
  "meishi.toast": minute,
  "meishi.typed": 10 * minute,
  theme: 365 * day,
};

/** RFC 6265bis §4.1: attributes without regard to case. */
function readCookie(line: string) {
  const [pair = "", ...rest] = line.split("; ");
  const attributes = rest.map((text) => text.toLowerCase().split("="));
  const valueOf = (name: string) => attributes.find(([key]) => key === name)?.[1];
  const has = (name: string) => attributes.some(([key]) => key === name);
  const at = pair.indexOf("=");
  return { name: pair.slice(0, at), value: pair.slice(at + 1), valueOf, has };
}

test("every cookie belongs to this host over HTTPS, is out of the reach of scripts and other sites, and ends", async () => {
  const { site } = await openSite();
  const cookies = site.exchanges.flatMap(({ response }) => response.headers.getSetCookie()).map(readCookie);
  for (const { name, valueOf, has } of cookies) {
    const plainName = name.replace(/^__Host-/, "");
    expect(name).toMatch(/^__Host-/);
    expect(has("secure"), name).toBe(true);
    // The page's own script changes the theme.
    expect(has("httponly"), name).toBe(plainName !== "theme");
    expect(valueOf("samesite"), name).toBe("lax");
    expect(valueOf("path"), name).toBe("/");
    expect(has("domain"), name).toBe(false);
    expect(Number(valueOf("max-age") ?? Infinity), name).toBeLessThanOrEqual(longest[plainName] ?? -1);
  }
  // The journey met every cookie of the program.
  const set = cookies.filter(({ value }) => value !== "").map(({ name }) => name.replace(/^__Host-/, ""));
  const named = sourceFiles.flatMap((file) => readSource(file).match(/(?<=okieName = ")[\w.]+(?=")/g) ?? []);
  expect(new Set(set)).toEqual(new Set(named));
});

test("every response has the security headers", async () => {
  const { site } = await openSite();
  for (const { method, path, response } of site.exchanges) {
    const at = `${method} ${path.split("?")[0]}`;
    const { headers } = response;
    expect(headers.get("strict-transport-security"), at).toMatch(/^max-age=31536000/);
    expect(headers.get("content-security-policy"), at).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get("x-content-type-options"), at).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy"), at).toBe("same-origin");
    // No token of an address reaches another site.
    expect(headers.get("referrer-policy"), at).toMatch(/^(no-referrer|same-origin)$/);
  }
});

test("no cache stores a page of an account, or a response with a cookie or a token", async () => {
  const { site } = await openSite();
  // Nothing in them is an account's: pages of the site, which only name the profile, and a redirect.
  const open = new Set(["/", "/signup"]);
  const stored = site.exchanges
    .map(({ method, path, response }) => ({ method, path: path.split("?")[0] ?? "", response }))
    .filter(({ path, response }) => !open.has(path) && ![404, 405].includes(response.status))
    .filter(({ response }) => !/\bno-store\b/.test(response.headers.get("cache-control") ?? ""));
  expect([...new Set(stored.map(({ method, path, response }) => `${method} ${path} ${response.status}`))]).toEqual([]);
});

test("the log of everything has no password, token, code, cookie or email", async () => {
  const { site, secrets } = await openSite();
  const log = site.program.output() + site.program.errors();
  expect(log.split("\n").length).toBeGreaterThan(site.exchanges.length);
  expect(secrets.texts.size).toBeGreaterThan(50);
  expect(secrets.codes.size).toBe(3);
  const found = [...secrets.texts].filter((text) => log.includes(text) || log.includes(encodeURIComponent(text)));
  const codes = [...secrets.codes].filter((code) => new RegExp(`\\b${code}\\b`).test(log));
  expect([...found, ...codes]).toEqual([]);
});

test("no page loads or opens anything of another site that could learn its address", async () => {
  const { site } = await openSite();
  for (const { path, response } of site.exchanges) {
    if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
    const page = await response.clone().text();
    const loaded = [...page.matchAll(/<(?:img|script|link|iframe|source)\b[^>]*?\s(?:src|href)="(https?:[^"]+)"/g)];
    const foreign = loaded.map(([, url = ""]) => url).filter((url) => !url.startsWith("https://cards.example.com/"));
    expect(foreign, path.split("?")[0]).toEqual([]);
  }
});
