import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readConfig } from "./config.server.ts";
import type { Config } from "./config.server.ts";

function read(env: Record<string, string>, cwd = "/nowhere") {
  const result = readConfig(env, cwd);
  const none: Pick<Config, "providers"> = { providers: {} };
  if ("problems" in result) return { ...none, problems: result.problems };
  const { providers, stripe, s3 } = result.config;
  return { providers, stripe, s3, problems: [] };
}

const newKey = (namedCurve = "P-256") =>
  generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "pkcs8", format: "pem" });

const apple = { APPLE_CLIENT_ID: "com.example.web", APPLE_TEAM_ID: "TEAM123456", APPLE_KEY_ID: "KEY1234567" };
const oidc = { OIDC_ISSUER: "https://id.example.com/realm", OIDC_CLIENT_ID: "meishi", OIDC_CLIENT_SECRET: "sesame" };

test("each provider has its own pair, and without settings there is none", () => {
  expect(read({})).toEqual({ providers: {}, problems: [] });
  const names = ["GOOGLE", "GITHUB", "LINKEDIN", "TWITCH", "SPOTIFY", "SLACK", "FACEBOOK"];
  const env = names.flatMap((name) => [
    [`${name}_CLIENT_ID`, `${name}-id`],
    [`${name}_CLIENT_SECRET`, "sesame"],
  ]);
  const { providers, problems } = read(Object.fromEntries(env));
  expect(problems).toEqual([]);
  const ids = ["google", "github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"];
  expect(Object.keys(providers)).toEqual(ids);
  expect(providers.linkedin_oidc).toEqual({ clientId: "LINKEDIN-id", clientSecret: "sesame" });
});

test("half a pair, or a secret with a space, is one problem in one line, which repeats no secret", () => {
  expect(read({ GOOGLE_CLIENT_SECRET: "sesame" })).toEqual({
    providers: {},
    problems: ["GOOGLE_CLIENT_ID must also be set, because GOOGLE_CLIENT_SECRET is set."],
  });
  const halves = read({ ...apple, OIDC_CLIENT_SECRET: "sesame" });
  expect(halves.problems).toHaveLength(2);
  const spaced = read({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "open sesame" });
  expect(spaced).toEqual({ providers: {}, problems: [expect.stringMatching(/^GITHUB_CLIENT_SECRET /)] });
  expect([...halves.problems, ...spaced.problems].join()).not.toContain("sesame");
});

test("Apple's key may be its text, its text in one line, or a path", () => {
  const folder = makeTempFolder();
  const key = newKey();
  writeFileSync(join(folder, "AuthKey.p8"), key);
  for (const typed of [key, key.replaceAll("\n", String.raw`\n`), "AuthKey.p8", join(folder, "AuthKey.p8")]) {
    const { providers, problems } = read({ ...apple, APPLE_PRIVATE_KEY: typed }, folder);
    expect(problems).toEqual([]);
    const ids = { clientId: "com.example.web", teamId: "TEAM123456", keyId: "KEY1234567" };
    expect(providers.apple).toEqual({ ...ids, privateKey: key });
  }
});

test.each([
  ["a path without a file", "missing.p8"],
  ["a folder", "/"],
  ["a broken key", "-----BEGIN PRIVATE KEY-----\nsesame\n-----END PRIVATE KEY-----"],
  ["a key on another curve", newKey("P-384")],
])("%s is no key of Apple", (_, typed) => {
  const { providers, problems } = read({ ...apple, APPLE_PRIVATE_KEY: typed });
  expect(providers).toEqual({});
  expect(problems).toEqual([expect.stringMatching(/^APPLE_PRIVATE_KEY [^\n]+$/)]);
  expect(problems.join()).not.toContain("sesame");
});

test("single sign-on has a name, can be the only sign-in method, and can ask for the second step itself", () => {
  const sso = { issuer: "https://id.example.com/realm", clientId: "meishi", clientSecret: "sesame" };
  const standard = {
    ...sso,
    name: "SSO",
    isOnly: false,
    createsAccounts: false,
    trustsEmail: false,
    skipsTwoStep: false,
  };
  const ssoOf = (env: Record<string, string>) => read({ ...oidc, ...env }).providers.sso;
  expect(ssoOf({})).toEqual(standard);
  const named = ssoOf({ OIDC_NAME: "Example Corp", OIDC_ONLY: "on" });
  expect(named).toEqual({ ...standard, name: "Example Corp", isOnly: true });
  expect(ssoOf({ OIDC_SKIP_TWO_STEP: "on" })).toEqual({ ...standard, skipsTwoStep: true });
  expect(ssoOf({ OIDC_TRUST_EMAIL: "on" })).toEqual({ ...standard, trustsEmail: true });
  const { problems } = read({ ...oidc, OIDC_SKIP_TWO_STEP: "yes" });
  expect(problems).toEqual([expect.stringMatching(/^OIDC_SKIP_TWO_STEP is "yes"/)]);
  for (const name of ["OIDC_SKIP_TWO_STEP", "OIDC_TRUST_EMAIL", "OIDC_ONLY"])
    expect(read({ [name]: "on" }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER and .* must also be set/)]);
});

test("an issuer is an HTTPS URL, or one on this machine", () => {
  for (const OIDC_ISSUER of [
    "http://id.example.com",
    "id.example.com",
    "https://a:b@id.example.com",
    "https://a.b/?x",
    "https://a.b/c d",
  ])
    expect(read({ ...oidc, OIDC_ISSUER }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must/)]);
  expect(read({ ...oidc, OIDC_ISSUER: "http://localhost:8080" }).problems).toEqual([]);
});

const stripeKeys = {
  STRIPE_SECRET_KEY: "sk_live_secret",
  STRIPE_WEBHOOK_SECRET: "whsec_secret",
  STRIPE_PRICE_MONTHLY: "price_m",
  STRIPE_PRICE_YEARLY: "price_y",
};

test("reads the keys, the prices and the tax; without settings Premium isn't sold", () => {
  expect(read({ STRIPE_TAX: "off" })).toEqual({ providers: {}, problems: [] });
  const stripe = {
    secretKey: "sk_live_secret",
    webhookSecret: "whsec_secret",
    monthly: "price_m",
    yearly: "price_y",
    hasTax: false,
  };
  expect(read(stripeKeys).stripe).toEqual(stripe);
  const more = read({ ...stripeKeys, STRIPE_TAX: "on", STRIPE_PORTAL_CONFIGURATION: "bpc_1" }).stripe;
  expect(more).toEqual({ ...stripe, hasTax: true, portalConfiguration: "bpc_1" });
});

test("names what is missing, because half a configuration would take money and give nothing", () => {
  const { problems } = read({ STRIPE_SECRET_KEY: "sk_live_secret", STRIPE_PRICE_YEARLY: "price_y" });
  expect(problems).toEqual([
    "STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_MONTHLY must also be set, because STRIPE_SECRET_KEY is set.",
  ]);
  expect(read({ STRIPE_TAX: "on" }).problems).toHaveLength(1);
  expect(read({ STRIPE_PORTAL_CONFIGURATION: "bpc_1" }).problems).toHaveLength(1);
});

test("refuses values in the wrong place without repeating them", () => {
  const { problems } = read({
    STRIPE_SECRET_KEY: "pk_live_public",
    STRIPE_WEBHOOK_SECRET: "sk_live_secret",
    STRIPE_PRICE_MONTHLY: "prod_1",
    STRIPE_PRICE_YEARLY: "prod_1",
    STRIPE_PORTAL_CONFIGURATION: "prod_1",
    STRIPE_TAX: "yes",
  });
  expect(problems).toHaveLength(6);
  expect(problems.join()).not.toMatch(/live|prod_1/);
  expect(read({ ...stripeKeys, STRIPE_PRICE_YEARLY: "price_m" }).problems).toEqual([
    "STRIPE_PRICE_YEARLY is the same price as STRIPE_PRICE_MONTHLY.",
  ]);
});

test("sends the key to no other host than Stripe's, but to a test's server on this machine", () => {
  const { stripe, problems } = read({ ...stripeKeys, STRIPE_API_URL: "http://127.0.0.1:4000" });
  expect([stripe?.apiUrl, problems]).toEqual(["http://127.0.0.1:4000", []]);
  for (const url of ["http://example.com", "https://127.0.0.1.example.com", "x"])
    expect(read({ ...stripeKeys, STRIPE_API_URL: url }).problems, url).toHaveLength(1);
});

const s3Keys = {
  S3_ENDPOINT: "https://s3.eu-central-1.example.com/",
  S3_BUCKET: "cards",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "AKIDEXAMPLE",
  S3_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG",
};

test("the S3 settings are all set or all unset, but the region; an endpoint may have a path", () => {
  const s3 = {
    endpoint: "https://s3.eu-central-1.example.com",
    bucket: "cards",
    region: "eu-central-1",
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG",
  };
  expect(read(s3Keys).s3).toEqual(s3);
  expect(read({ S3_ENDPOINT: " ", S3_BUCKET: "" })).toEqual({ providers: {}, problems: [] });
  const local = { endpoint: "http://localhost:9000/storage/s3", region: "us-east-1" };
  const env = { ...s3Keys, S3_REGION: "", S3_ENDPOINT: "http://localhost:9000/storage/s3/" };
  expect(read(env).s3).toMatchObject(local);
  expect(read({ S3_BUCKET: "cards", S3_SECRET_ACCESS_KEY: "x" }).problems).toEqual([
    "S3_ENDPOINT and S3_ACCESS_KEY_ID must also be set, because S3_BUCKET is set.",
  ]);
  expect(read({ S3_REGION: "eu-central-1" }).problems[0]).toContain("S3_ENDPOINT and S3_BUCKET and S3_ACCESS_KEY_ID");
});

test.each([
  ["S3_ENDPOINT", "s3.example.com"],
  ["S3_ENDPOINT", "ftp://s3.example.com"],
  ["S3_ENDPOINT", "https://key:secret-word@s3.example.com"],
  ["S3_ENDPOINT", "https://s3.example.com/?a=secret-word"],
  ["S3_BUCKET", "https://s3.example.com/cards"],
  ["S3_BUCKET", "a b"],
  ["S3_REGION", "eu central"],
  ["S3_ACCESS_KEY_ID", "AKID secret-word"],
  ["S3_SECRET_ACCESS_KEY", "secret-word\nX: y"],
])("the S3 settings reject an invalid %s without repeating a key: %j", (name, value) => {
  const problems = read({ ...s3Keys, [name]: value }).problems;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^${name} `));
  expect(problems[0]).not.toContain("secret-word");
});

test("BACKUP_TO is a folder or a bucket with its keys, and a wrong one is described without them", () => {
  const target = (BACKUP_TO: string) => {
    const result = readConfig({ BACKUP_TO }, "/srv");
    return "problems" in result ? result.problems.join() : result.config.backupTo;
  };
  expect([target("kept"), target("/mnt/disk")]).toEqual(["/srv/kept", "/mnt/disk"]);
  expect(target("https://KEY:a%2Fb@s3.example.com:9000/cards/2026/daily?region=eu-west-1")).toEqual({
    endpoint: "https://s3.example.com:9000",
    bucket: "cards",
    prefix: "2026/daily/",
    region: "eu-west-1",
    accessKeyId: "KEY",
    secretAccessKey: "a/b",
  });
  for (const wrong of [
    "https://s3.example.com/cards",
    "s3://cards",
    "https://KEY:sesame@host",
    "https://K:sesame@h/../a b",
  ]) {
    expect(target(wrong), wrong).toMatch(/^BACKUP_TO must be the path of a folder or the URL of a bucket/);
    expect(target(wrong)).not.toContain("sesame");
  }
});
