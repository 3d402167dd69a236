import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readProviderSettings } from "./provider-settings.server.ts";

function read(env: Record<string, string>, cwd = "/nowhere") {
  const problems: string[] = [];
  const providers = readProviderSettings({ get: (name) => env[name] ?? "", problems, cwd, hasApplePasses: false });
  return { providers, problems };
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

test("single sign-on has a name, can be the only way in, and can ask for the second step itself", () => {
  const sso = { issuer: "https://id.example.com/realm", clientId: "meishi", clientSecret: "sesame" };
  const standard = { ...sso, name: "SSO", isOnly: false, trustsEmail: false, skipsTwoStep: false };
  const ssoOf = (env: Record<string, string>) => read({ ...oidc, ...env }).providers.sso;
  expect(ssoOf({})).toEqual(standard);
  const named = ssoOf({ OIDC_NAME: "Example Corp", OIDC_ONLY: "on" });
  expect(named).toEqual({ ...standard, name: "Example Corp", isOnly: true });
  expect(ssoOf({ OIDC_SKIP_TWO_STEP: "on" })).toEqual({ ...standard, skipsTwoStep: true });
  expect(ssoOf({ OIDC_TRUST_EMAIL: "on" })).toEqual({ ...standard, trustsEmail: true });
  const { problems } = read({ ...oidc, OIDC_SKIP_TWO_STEP: "yes" });
  expect(problems).toEqual([expect.stringMatching(/^OIDC_SKIP_TWO_STEP is "yes"/)]);
  for (const name of ["OIDC_SKIP_TWO_STEP", "OIDC_TRUST_EMAIL", "OIDC_ONLY"])
    expect(read({ [name]: "on" }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must also be set/)]);
});

test("an issuer is an HTTPS URL, or one on this machine", () => {
  for (const OIDC_ISSUER of ["http://id.example.com", "id.example.com", "https://a:b@id.example.com", "https://a.b/?x"])
    expect(read({ ...oidc, OIDC_ISSUER }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must/)]);
  expect(read({ ...oidc, OIDC_ISSUER: "http://localhost:8080" }).problems).toEqual([]);
});
