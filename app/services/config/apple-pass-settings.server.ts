import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

import { isSettingProblem } from "./setting-values.ts";
import type { SettingProblem } from "./setting-values.ts";

/** What Apple Wallet passes are signed with. Nothing is checked yet: see `openApplePasses`. "" and undefined: not set. */
export type ApplePassSettings = {
  passTypeId: string;
  teamId: string;
  certificate: SettingFile;
  key: SettingFile;
  password: string;
  wwdr: SettingFile;
  /** A server on this machine that takes the part of Apple's push service in a test. */
  pushUrl: string | SettingProblem | undefined;
};

/** The content of a file whose text or path was set. */
export type SettingFile = Buffer | SettingProblem | undefined;

/** Rows of docs/settings.md. APPLE_TEAM_ID is with the sign-in providers. */
export const applePassSettings = [
  {
    name: "APPLE_PASS_TYPE_ID",
    default: "none: no Apple Wallet passes",
    meaning:
      "Pass type ID for Apple Wallet (`pass.…`). Also needs `APPLE_TEAM_ID`. See [docs/wallet.md](docs/wallet.md).",
  },
  {
    name: "APPLE_PASS_CERTIFICATE",
    default: "none",
    meaning: "Certificate of that pass type: the path of a `.p12`, `.pem` or `.cer` file, or the text of a PEM file.",
  },
  {
    name: "APPLE_PASS_KEY",
    default: "none: the key in the `.p12` file",
    meaning: "Private key of the certificate: the path of a PEM file, or its text.",
  },
  { name: "APPLE_PASS_PASSWORD", default: "none", meaning: "Password of the `.p12` file or of the key." },
  {
    name: "APPLE_WWDR_CERTIFICATE",
    default: "none",
    meaning:
      "Apple's intermediate certificate (WWDR) that issued yours: the path of a `.cer` or `.pem` file, or its text.",
  },
] as const;

type SettingName = (typeof applePassSettings)[number]["name"] | "APPLE_TEAM_ID" | "APPLE_PUSH_URL";

/** Returns undefined when none of them is set; the team alone may belong to a sign-in provider. `get` returns "" for an unset one. */
export function readApplePassSettings({ get, cwd }: ReadOptions): ApplePassSettings | undefined {
  if (applePassSettings.every(({ name }) => !get(name))) return undefined;
  const file = (name: SettingName) => (get(name) ? readSettingFile(get(name), cwd) : undefined);
  return {
    passTypeId: get("APPLE_PASS_TYPE_ID"),
    teamId: get("APPLE_TEAM_ID"),
    certificate: file("APPLE_PASS_CERTIFICATE"),
    key: file("APPLE_PASS_KEY"),
    password: get("APPLE_PASS_PASSWORD"),
    wwdr: file("APPLE_WWDR_CERTIFICATE"),
    pushUrl: readPushUrl(get("APPLE_PUSH_URL")),
  };
}

/** On another host it would get the devices' push tokens. */
function readPushUrl(text: string): string | SettingProblem | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === "https:" && ["localhost", "127.0.0.1"].includes(url.hostname)) return url.origin;
  return { problem: "is for tests: it must be a server on this machine, with https." };
}

type ReadOptions = { get: (name: SettingName) => string; cwd: string };

/** The text of a PEM file, or the content of the file at a path. The problem never repeats the value. */
export function readSettingFile(typed: string, cwd: string): Buffer | SettingProblem {
  const text = typed.replaceAll(String.raw`\n`, "\n");
  if (text.includes("-----BEGIN")) return Buffer.from(text);
  try {
    const path = resolve(cwd, typed);
    const { size } = statSync(path);
    if (size > 0 && size <= maxFileBytes) return readFileSync(path);
  } catch {
    // Its message could repeat a secret that was set in the wrong place.
  }
  return { problem: "must be the text of a PEM file or the path of a file that can be read." };
}

const maxFileBytes = 100_000;

/** The content of a file, if it could be read. */
export function isFileContent(file: SettingFile): file is Buffer {
  return file !== undefined && !isSettingProblem(file);
}
