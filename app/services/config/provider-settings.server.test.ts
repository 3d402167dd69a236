import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

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

test("without settings there is no provider and no problem", () => {
  expect(read({})).toEqual({ providers: {}, problems: [] });
});

test("each provider has its own pair", () => {
  const names = ["GOOGLE", "GITHUB", "LINKEDIN", "TWITCH", "SPOTIFY", "SLACK", "FACEBOOK"];
  const env = names.flatMap((name) => [
    [`${name}_CLIENT_ID`, `${name} id`.replace(" ", "-")],
    [`${name}_CLIENT_SECRET`, "sesame"],
  ]);
  const { providers, problems } = read(Object.fromEntries(env));
  expect(problems).toEqual([]);
  expect(Object.keys(providers)).toEqual([
    "google",
    "github",
    "linkedin_oidc",
    "twitch",
    "spotify",
    "slack",
    "facebook",
  ]);
  expect(providers.linkedin_oidc).toEqual({ clientId: "LINKEDIN-id", clientSecret: "sesame" });
});

test("half a pair is one problem in one line, which repeats no secret", () => {
  expect(read({ GOOGLE_CLIENT_SECRET: "sesame" })).toEqual({
    providers: {},
    problems: ["GOOGLE_CLIENT_ID must also be set, because GOOGLE_CLIENT_SECRET is set."],
  });
  const { problems } = read({ ...apple, OIDC_CLIENT_SECRET: "sesame" });
  expect(problems).toHaveLength(2);
  expect(problems.join()).not.toContain("sesame");
});

test("a secret with a space is refused without repeating it", () => {
  const { providers, problems } = read({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "open sesame" });
  expect(providers).toEqual({});
  expect(problems).toEqual([expect.stringMatching(/^GITHUB_CLIENT_SECRET /)]);
  expect(problems.join()).not.toContain("sesame");
});

test("Apple's key may be its text, its text in one line, or a path", () => {
  const folder = mkdtempSync(join(tmpdir(), "meishi-key-"));
  cleanUpAfterTest(() => rmSync(folder, { recursive: true }));
  const key = newKey();
  writeFileSync(join(folder, "AuthKey.p8"), key);
  for (const typed of [key, key.replaceAll("\n", String.raw`\n`), "AuthKey.p8", join(folder, "AuthKey.p8")]) {
    const { providers, problems } = read({ ...apple, APPLE_PRIVATE_KEY: typed }, folder);
    expect(problems).toEqual([]);
    expect(providers.apple).toEqual({
      clientId: "com.example.web",
      teamId: "TEAM123456",
      keyId: "KEY1234567",
      privateKey: key,
    });
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

test("single sign-on has a name, and can be the only way in", () => {
  expect(read(oidc).providers.sso).toEqual({
    issuer: "https://id.example.com/realm",
    clientId: "meishi",
    clientSecret: "sesame",
    name: "SSO",
    isOnly: false,
    skipsTwoStep: false,
  });
  const { providers } = read({ ...oidc, OIDC_NAME: "Example Corp", OIDC_ONLY: "on" });
  expect(providers.sso).toMatchObject({ name: "Example Corp", isOnly: true });
  expect(read({ ...oidc, OIDC_SKIP_TWO_STEP: "on" }).providers.sso).toMatchObject({
    skipsTwoStep: true,
    isOnly: false,
  });
  expect(read({ ...oidc, OIDC_SKIP_TWO_STEP: "yes" }).problems).toEqual([
    expect.stringMatching(/^OIDC_SKIP_TWO_STEP is "yes"/),
  ]);
  expect(read({ OIDC_SKIP_TWO_STEP: "on" }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must also be set/)]);
  expect(read({ OIDC_ONLY: "on" }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must also be set/)]);
});

test.each(["http://id.example.com", "id.example.com", "https://a:b@id.example.com", "https://id.example.com/?x"])(
  "%s is no issuer",
  (issuer) => {
    expect(read({ ...oidc, OIDC_ISSUER: issuer }).problems).toEqual([expect.stringMatching(/^OIDC_ISSUER must/)]);
  },
);

test("an issuer on this machine may use HTTP", () => {
  expect(read({ ...oidc, OIDC_ISSUER: "http://localhost:8080" }).problems).toEqual([]);
});
