import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";
import { afterAll, describe, expect, test } from "vitest";

import { readConfig } from "./config.server.ts";

import { findSigner, openApplePasses } from "./apple-passes.server.ts";
import { createDemoCertificates } from "./demo-certificates.server.ts";

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 23);
const ids = { passTypeId: "pass.example.card", teamId: "TEAM123456", password: "sesame" };
const own = createDemoCertificates({ ...ids, validFrom: now - day, validTo: now + 40 * day });
const other = createDemoCertificates({ ...ids, validFrom: now - day, validTo: now + 40 * day });
const folder = mkdtempSync(join(tmpdir(), "meishi-pass-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const settings = {
  APPLE_PASS_TYPE_ID: ids.passTypeId,
  APPLE_TEAM_ID: ids.teamId,
  APPLE_PASS_CERTIFICATE: own.certificate,
  APPLE_PASS_KEY: own.key,
  APPLE_WWDR_CERTIFICATE: own.wwdr,
};
const pemFiles = {
  ...settings,
  APPLE_PASS_CERTIFICATE: file("pass.pem", own.certificate),
  APPLE_PASS_KEY: file("key.pem", own.key),
  APPLE_WWDR_CERTIFICATE: file("wwdr.pem", own.wwdr),
};
const p12Settings = {
  ...settings,
  APPLE_PASS_CERTIFICATE: file("pass.p12", own.p12),
  APPLE_PASS_KEY: "",
  APPLE_PASS_PASSWORD: ids.password,
};

async function open(env: Record<string, string>, at = now) {
  const read = readConfig(env, folder);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return openApplePasses(read.config.applePasses, { now: at, log: pino({ level: "silent" }) });
}

async function problemsOf(env: Record<string, string>, at = now): Promise<string[]> {
  const passes = await open({ ...settings, ...env }, at);
  return passes.state === "invalid" ? passes.problems : [];
}

test("without settings there are no passes", async () => {
  expect(await open({})).toEqual({ state: "off" });
  expect(findSigner(await open({}), now)).toBeUndefined();
});

test.each([
  ["the texts of PEM files", settings],
  ["texts in one line", { ...settings, APPLE_PASS_KEY: own.key.replaceAll("\n", String.raw`\n`) }],
  ["paths of PEM files", pemFiles],
  ["a .p12 file with a password", p12Settings],
  ["a .p12 file as OpenSSL 3 makes it", { ...p12Settings, APPLE_PASS_CERTIFICATE: openSslPkcs12() }],
  ["a key with a password", { ...settings, APPLE_PASS_KEY: encryptedKey(), APPLE_PASS_PASSWORD: ids.password }],
  ["Apple's .cer files", { ...settings, APPLE_WWDR_CERTIFICATE: file("wwdr.cer", der(own.wwdr)) }],
])("passes are ready with %s", async (_, env) => {
  const passes = await open(env);
  expect(passes).toMatchObject({ state: "ready", signer: { passTypeId: ids.passTypeId, teamId: ids.teamId } });
  const signer = findSigner(passes, now);
  expect(signer?.expiresAt).toBe(now + 40 * day);
  // One that expires while the program runs signs no more.
  expect(findSigner(passes, now + 40 * day - 1)).toBeDefined();
  expect(findSigner(passes, now + 40 * day)).toBeUndefined();
  expect(signer?.key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
});

describe("wrong settings are reported by name, without a secret, and never stop the site", () => {
  const certificate = (value: string, env = {}) => ({ ...env, APPLE_PASS_CERTIFICATE: value });
  const damaged = file("bad.p12", own.p12.subarray(0, 900));
  test.each<[string, Record<string, string>, RegExp]>([
    ["a type of another form", { APPLE_PASS_TYPE_ID: "com.example" }, /^APPLE_PASS_TYPE_ID must be a pass type ID/],
    ["a team of another form", { APPLE_TEAM_ID: "team" }, /^APPLE_TEAM_ID must be a team ID/],
    ["no certificate", certificate(""), /^APPLE_PASS_CERTIFICATE must also be set/],
    ["a missing file", certificate("gone.p12"), /^APPLE_PASS_CERTIFICATE must be the text/],
    ["another file", certificate(file("a.txt", "hello")), /^APPLE_PASS_CERTIFICATE is not a certificate/],
    ["the key of another certificate", { APPLE_PASS_KEY: other.key }, /^APPLE_PASS_KEY is not the key of/],
    ["a certificate as the key", { APPLE_PASS_KEY: own.certificate }, /^APPLE_PASS_KEY is not an RSA key/],
    ["another chain", { APPLE_WWDR_CERTIFICATE: other.wwdr }, /^APPLE_WWDR_CERTIFICATE didn't issue .*: DEMO WWDR/],
    [
      "no authority",
      { APPLE_WWDR_CERTIFICATE: own.certificate },
      /^APPLE_WWDR_CERTIFICATE is not the certificate of an/,
    ],
    ["another pass type", { APPLE_PASS_TYPE_ID: "pass.other" }, /CERTIFICATE is for the pass type pass\.example\.card/],
    ["another team", { APPLE_TEAM_ID: "OTHER67890" }, /^APPLE_PASS_CERTIFICATE is of the team TEAM123456/],
    ["no pass type", certificate(own.wwdr), /^APPLE_PASS_CERTIFICATE is not the certificate of a pass type/],
    ["a wrong password", { ...p12Settings, APPLE_PASS_PASSWORD: "wrong" }, /^APPLE_PASS_PASSWORD is not the password/],
    ["a damaged file", certificate(damaged, p12Settings), /^APPLE_PASS_PASSWORD is not .*, or the file is damaged/],
    [
      "a wrong password of the key",
      { APPLE_PASS_KEY: encryptedKey(), APPLE_PASS_PASSWORD: "no" },
      /APPLE_PASS_PASSWORD is not its password/,
    ],
  ])("%s", async (_, env, expected) => {
    const problems = await problemsOf(env);
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
    expect(problems.join()).not.toMatch(/sesame|BEGIN|wrong/);
  });

  test("an expired certificate, and one of the future", async () => {
    expect(await problemsOf({}, now + 40 * day)).toEqual([
      "APPLE_PASS_CERTIFICATE expired on 2027-01-02. Create a new one at Apple.",
      "APPLE_WWDR_CERTIFICATE expired on 2027-01-02. Create a new one at Apple.",
    ]);
    expect((await problemsOf({}, now - 2 * day))[0]).toMatch(/^APPLE_PASS_CERTIFICATE is valid only from 2026-11-22\./);
  });

  test("several at once", async () => {
    expect(await problemsOf({ APPLE_PASS_TYPE_ID: "x", APPLE_TEAM_ID: "", APPLE_PASS_KEY: "" })).toHaveLength(5);
  });
});

test("the team of passes isn't half a sign-in provider, but other settings of one are", () => {
  expect(readConfig(settings, folder)).toHaveProperty("config");
  expect(readConfig({ APPLE_TEAM_ID: ids.teamId }, folder)).toHaveProperty("problems");
  expect(readConfig({ ...settings, APPLE_KEY_ID: "KEY1234567" }, folder)).toHaveProperty("problems");
});

function runOpenSsl(...options: string[]) {
  execFileSync("openssl", [...options, "-passout", "pass:sesame"], { cwd: folder });
}

function openSslPkcs12(): string {
  const [certificate, key] = [file("o.pem", own.certificate), file("o-key.pem", own.key)];
  runOpenSsl("pkcs12", "-export", "-in", certificate, "-inkey", key, "-out", "openssl.p12");
  return "openssl.p12";
}

function encryptedKey(): string {
  runOpenSsl("pkcs8", "-topk8", "-in", file("plain-key.pem", own.key), "-out", "key-enc.pem");
  return readFileSync(join(folder, "key-enc.pem"), "utf8");
}

function der(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
}
