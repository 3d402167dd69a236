import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readConfig } from "./config.server.ts";
import { settings } from "./settings.ts";

test("the default configuration listens on this machine only, as a demo, in ./data", () => {
  const standard = {
    port: 3000,
    host: "127.0.0.1",
    baseUrl: "http://localhost:3000",
    dataDir: "/srv/meishi/data",
    mailFrom: "Meishi <no-reply@localhost>",
    trustedProxy: [],
    adminEmails: [],
    premium: "granted",
    demo: true,
    logLevel: "info",
    backup: "off",
    backupDays: 7,
    backupBeforeUpdate: true,
    pageCacheMb: 1000,
    hstsIncludesSubdomains: false,
    isLocal: true,
    providers: {},
    googleContacts: false,
    contactClients: {},
    signUp: "open",
    web3SignIn: false,
    dataApi: true,
    appOrigins: [],
  };
  expect(read({})).toEqual(standard);
  // An empty variable counts as unset.
  expect(read(Object.fromEntries(settings.map(({ env }) => [env, " "])))).toEqual(standard);
});

test("SIGN_UP is one of three words", () => {
  expect(read({ SIGN_UP: " Invite " })).toMatchObject({ signUp: "invite" });
  const wrong = readConfig({ SIGN_UP: "off" }, "/srv/meishi");
  expect(wrong).toEqual({ problems: ['SIGN_UP is "off": it must be open, invite or closed.'] });
});

test("PAGE_CACHE_MB is a whole number of at least one", () => {
  expect(read({ PAGE_CACHE_MB: "20" })).toMatchObject({ pageCacheMb: 20 });
  for (const typed of ["0", "1.5", "-1", "1e3", "1000001", "all"])
    expect(readConfig({ PAGE_CACHE_MB: typed }, "/srv/meishi")).toEqual({
      problems: [`PAGE_CACHE_MB is "${typed}": it must be a whole number of megabytes from 1 to 1000000.`],
    });
});

test("a public configuration listens on all addresses, without the demo, and sends mail from its own host", () => {
  expect(read({ BASE_URL: "https://Cards.Example.com/", PORT: "8080" })).toMatchObject({
    baseUrl: "https://cards.example.com",
    port: 8080,
    host: "0.0.0.0",
    demo: false,
    isLocal: false,
    mailFrom: "Meishi <no-reply@cards.example.com>",
  });
});

test("everyone has Premium if the operator says so, and it is sold with Stripe, but not both", () => {
  expect(read({ PLAN_FOR_EVERYONE: "Premium" })).toMatchObject({ premium: "everyone" });
  expect(read({ PLAN_FOR_EVERYONE: "free" })).toMatchObject({ premium: "granted" });
  const wrong = problems({ PLAN_FOR_EVERYONE: "gold" });
  expect(wrong).toEqual([expect.stringMatching(/^PLAN_FOR_EVERYONE is "?gold"?: it must be premium or free\.$/)]);
  const keys = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
  const stripe = { ...keys, STRIPE_PRICE_MONTHLY: "price_1", STRIPE_PRICE_YEARLY: "price_2" };
  expect(read(stripe)).toMatchObject({ premium: "sold" });
  const both = problems({ ...stripe, PLAN_FOR_EVERYONE: "premium" });
  expect(both).toEqual([expect.stringMatching(/^PLAN_FOR_EVERYONE gives everyone Premium/)]);
});

test("accepts every setting, and any free port when BASE_URL is set", () => {
  const texts = {
    DATA_DIR: "/var/lib/meishi",
    DATABASE_URL: "postgresql://app:pw@/meishi?host=/run/postgresql",
    MAIL_FROM: "Ada's cards <ada@example.com>",
    SOURCE_URL: "https://git.example/ada/meishi",
  };
  const addresses = { HOST: "[::]", BASE_URL: "http://[2001:db8::1]:81", TRUSTED_PROXY: "10.0.0.0/8, ::1,192.0.2.7" };
  const more = { SMTP_URL: "smtps://u%40v:p@mail.example.com", COUNTRY_HEADER: "CF-IPCountry", DEMO: "ON" };
  expect(read({ ...texts, ...addresses, ...more })).toMatchObject({
    host: "::",
    baseUrl: "http://[2001:db8::1]:81",
    dataDir: texts.DATA_DIR,
    databaseUrl: texts.DATABASE_URL,
    mailFrom: texts.MAIL_FROM,
    sourceUrl: texts.SOURCE_URL,
    trustedProxy: ["10.0.0.0/8", "::1", "192.0.2.7"],
    demo: true,
  });
  const anyPort = read({ PORT: "0", BASE_URL: "http://localhost:80" });
  expect(anyPort).toMatchObject({ port: 0, baseUrl: "http://localhost" });
  expect(problems({ PORT: "0" })).toEqual([expect.stringMatching(/^PORT .*BASE_URL/)]);
});

describe("an invalid configuration", () => {
  const addresses =
    "example.com ftp://example.com https://example.com/cards https://example.com/? https://a.example?a=b";
  const more = "https://example.com/#x https://ada:lovelace@example.com https:// javascript:alert(1)";
  test.each([
    ["PORT", ["abc", "-1", "65536", "3000.5", "1e3", "0x10", "99999999"]],
    ["HOST", ["http://localhost", "a b", "localhost:3000", "-x"]],
    ["BASE_URL", `${addresses} ${more}`.split(" ")],
    ["DATABASE_LISTEN_URL", ["mysql://localhost/x"]],
    [
      "DATABASE_URL",
      [
        "mysql://localhost/x",
        "./data.db",
        "postgres:x",
        "postgres://",
        "postgres://u:p#w@host/db",
        "postgres://u:p@/db",
      ],
    ],
    ["SMTP_URL", ["mail.example.com", "https://mail.example.com", "smtp://", "smtp:mail.example.com"]],
    ["MAIL_FROM", ["Meishi", "a@b, c@d", "Meishi <a@b", "x\r\nBcc: a@b <a@b>", "a@b@c"]],
    ["COUNTRY_HEADER", ["CF IPCountry", "country:", "ä"]],
    ["TRUSTED_PROXY", ["proxy.example.com", "10.0.0.0/33", "::1/129", "10.0.0.0/", "1.2.3.4/8/8", "10.0.0.1 10.0.0.2"]],
    ["DEMO", ["maybe", "true", "1"]],
    ["SOURCE_URL", ["git.example/a", "git@git.example:a.git", "https:", "https://a:b@git.example/", "https://a b/"]],
  ])("is rejected: %s", (name, values) => {
    for (const value of values) expect(problems({ [name]: value })[0], value).toMatch(new RegExp(`^${name} .`));
  });

  test("reports all mistakes at once", () => {
    const found = problems({ PORT: "abc", BASE_URL: "nowhere", DEMO: "maybe", SMTP_URL: "x" });
    expect(found.map((line) => line.split(" ")[0])).toEqual(["PORT", "BASE_URL", "SMTP_URL", "DEMO"]);
  });

  test("never repeats a password", () => {
    const found = problems({
      BASE_URL: "https://ada:sesame@example.com",
      DATABASE_URL: "mysql://ada:sesame@host/x",
      SMTP_URL: "http://ada:sesame@host",
    });
    expect(found).toHaveLength(3);
    expect(found.join()).not.toContain("sesame");
  });
});

test("any environment gives a configuration or a list of one-line problems", () => {
  const names = fc.constantFrom(...settings.map(({ env }) => env));
  const env = fc.dictionary(names, fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()));
  const property = fc.property(env, (variables) => {
    const result = readConfig(variables, "/srv");
    if ("problems" in result) return result.problems.every((line) => /^[A-Z\d_]+ [^\n\r]+$/.test(line));
    return new URL(result.config.baseUrl).origin === result.config.baseUrl;
  });
  expect(() => fc.assert(property)).not.toThrow();
});

function read(env: Record<string, string>) {
  const result = readConfig(env, "/srv/meishi");
  if ("problems" in result) throw new Error(result.problems.join("\n"));
  return result.config;
}

function problems(env: Record<string, string>) {
  const result = readConfig(env, "/srv/meishi");
  return "problems" in result ? result.problems : [];
}
