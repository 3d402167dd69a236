import { generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import pino from "pino";
import { expect, test } from "vitest";

import { accountFile, clientEmail, issuerId } from "#tests/support/providers/google-wallet/wallet-double.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { readConfig } from "./config.server.ts";
import { openGoogleWallet } from "./google-wallet-account.server.ts";

/** Opens Google Wallet with the settings of a working installation and a few others. `file`: the content of account.json. */
function open(changes: Record<string, string> = {}, file = accountFile()) {
  const cwd = makeTempFolder();
  writeFileSync(join(cwd, "account.json"), file);
  const env: Record<string, string> = {
    GOOGLE_WALLET_ISSUER_ID: issuerId,
    GOOGLE_WALLET_SERVICE_ACCOUNT: "account.json",
    ...changes,
  };
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const read = readConfig(env, cwd);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return { setup: openGoogleWallet(read.config.googleWallet, log), lines };
}

test("Google Wallet is off without its settings, and ready with a service account's key", () => {
  expect(open({ GOOGLE_WALLET_ISSUER_ID: "", GOOGLE_WALLET_SERVICE_ACCOUNT: "" }).setup).toEqual({ state: "off" });
  const { setup, lines } = open();
  expect(setup).toMatchObject({ state: "ready", account: { issuerId, clientEmail, apiUrl: undefined } });
  expect(lines).toEqual([]);
});

const pemOf = ({ privateKey }: { privateKey: KeyObject }) => privateKey.export({ type: "pkcs8", format: "pem" });
const small = pemOf(generateKeyPairSync("rsa", { modulusLength: 1024 }));
const elliptic = pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }));
const name = "GOOGLE_WALLET_SERVICE_ACCOUNT";
const keyProblem = `${name} has no valid RSA key of at least 2048 bits in "private_key".`;

const api = "GOOGLE_WALLET_API_URL is for tests: it must be a server on this machine.";
const issuer = "GOOGLE_WALLET_ISSUER_ID must";
const type = `${name} is not the key of a service account: its "type" must be "service_account".`;

test.each<[string, Record<string, string>, string, string]>([
  ["no issuer", { GOOGLE_WALLET_ISSUER_ID: "" }, accountFile(), `${issuer} also be set, because ${name} is set.`],
  [
    "the issuer's name",
    { GOOGLE_WALLET_ISSUER_ID: "Example" },
    accountFile(),
    `${issuer} be the number that the Google Pay & Wallet Console shows.`,
  ],
  ["no file", { [name]: "" }, "", `${name} must also be set, because GOOGLE_WALLET_ISSUER_ID is set.`],
  ["a missing file", { [name]: "gone.json" }, "", `${name} must be the path of a JSON file that can be read.`],
  ["a file that isn't JSON", {}, "secret text", `${name} is not a JSON file of a service account.`],
  ["the key of another kind of account", {}, accountFile({ type: "authorized_user" }), type],
  ["no address", {}, accountFile({ client_email: "passes" }), `${name} has no valid "client_email".`],
  ["a damaged key", {}, accountFile({ private_key: "-----BEGIN PRIVATE KEY-----\nsecret" }), keyProblem],
  ["an elliptic key", {}, accountFile({ private_key: elliptic }), keyProblem],
  ["a short key", {}, accountFile({ private_key: small }), keyProblem],
  ["another host", { GOOGLE_WALLET_API_URL: "https://evil.example" }, accountFile(), api],
])("%s is said clearly, and no secret with it", (...[, changes, file, problem]) => {
  const { setup, lines } = open(changes, file);
  expect(setup).toEqual({ state: "invalid", problems: [problem] });
  expect(lines.join()).not.toMatch(/secret|BEGIN/);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, problems: [problem] });
});
