import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import pino from "pino";

import { applePassTask, passPartTask } from "#app/features/wallet/apple/pass-tasks.server.ts";
import { passParts, voidedContent } from "#app/features/wallet/pass-content.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { formatDate } from "#app/services/base/format.ts";
import { findSigner, openApplePasses } from "#app/services/config/apple-passes.server.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";

import { runCommand } from "./run-command.ts";

const usage = `Usage: npm run wallet -- <command>

  check                         Checks the settings of Apple Wallet passes and writes a sample pass, sample.pkpass.
  demo-certificates <folder>    Makes certificates for development, and a settings.env beside them. No iPhone trusts
                                them, so its passes open only in programs that don't check signatures.

See docs/wallet.md.`;

const dayMs = 24 * 60 * 60_000;

/** The operator's commands for wallet passes. */
async function run(given: string[]): Promise<string> {
  const [command, folder, ...more] = given;
  if (command === "--help" || command === "-h") return usage;
  if (command === "check" && folder === undefined) return check();
  if (command === "demo-certificates" && folder !== undefined && more.length === 0) return writeDemo(resolve(folder));
  throw startProblem(usage);
}

async function check(): Promise<string> {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  const { applePasses: settings, baseUrl } = read.config;
  const now = Date.now();
  const passes = await openApplePasses(settings, { now, log: pino({ level: "silent" }) });
  if (passes.state === "invalid") throw startProblem(passes.problems.join("\n"));
  const signer = findSigner(passes, now);
  if (!signer) throw startProblem("APPLE_PASS_TYPE_ID isn't set, so there are no Apple Wallet passes.");
  const issuer = { name: "Meishi", url: baseUrl };
  const blank = voidedContent({ cardId: "sample", cardUrl: baseUrl, issuer });
  const content = { ...blank, isVoided: false, name: "Sample", qr: { message: baseUrl, label: "" } };
  const photos = { avatar: undefined, logo: undefined, background: undefined };
  const options = { authenticationToken: "", serviceUrl: undefined };
  const parts = [];
  for (const part of passParts) parts.push(await passPartTask.run({ part, content, photos }));
  writeFileSync("sample.pkpass", await applePassTask.run({ content, parts, options, signer, now }));
  return [
    `The settings are right: ${signer.passTypeId} of the team ${signer.teamId}, valid until ${formatDate(signer.expiresAt)}.`,
    baseUrl.startsWith("https:") ? "" : "BASE_URL isn't https, so passes won't get updates.",
    "sample.pkpass is a sample. Send it to an iPhone to see whether Wallet opens it.",
  ]
    .filter(Boolean)
    .join("\n");
}

/** Replaces nothing: a folder with certificates of an earlier run is refused. */
function writeDemo(folder: string): string {
  const ids = { passTypeId: "pass.example.meishi.demo", teamId: "DEMODEMO00" };
  const now = Date.now();
  const demo = createDemoCertificates({ ...ids, password: "demo", validFrom: now - dayMs, validTo: now + 365 * dayMs });
  const files: Record<string, string | Buffer> = {
    "demo-root.pem": demo.root,
    "demo-wwdr.pem": demo.wwdr,
    "demo-pass.pem": demo.certificate,
    "demo-pass-key.pem": demo.key,
    "demo-pass.p12": demo.p12,
    "settings.env": [
      "# DEMO certificates for development only. No iPhone trusts them.",
      `APPLE_PASS_TYPE_ID=${ids.passTypeId}`,
      `APPLE_TEAM_ID=${ids.teamId}`,
      `APPLE_PASS_CERTIFICATE=${join(folder, "demo-pass.p12")}`,
      "APPLE_PASS_PASSWORD=demo",
      `APPLE_WWDR_CERTIFICATE=${join(folder, "demo-wwdr.pem")}`,
      "",
    ].join("\n"),
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeNew(join(folder, name), content);
  return `Wrote ${Object.keys(files).join(", ")} to ${folder}.\nStart with: set -a; . ${join(folder, "settings.env")}; set +a; npm start`;
}

function writeNew(path: string, content: string | Buffer) {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw startProblem(`${path} can't be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

runCommand(run);
