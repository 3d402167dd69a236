import { readSettingFile } from "./apple-pass-settings.server.ts";
import type { SettingFile } from "./apple-pass-settings.server.ts";
import type { SettingProblem } from "./setting-values.ts";

/** Who issues Google Wallet passes. Nothing is checked yet: see `openGoogleWallet`. "" and undefined: not set. */
export type GoogleWalletSettings = {
  issuerId: string;
  serviceAccount: SettingFile;
  /** A server on this machine that takes Google's part in a test. */
  apiUrl: string | SettingProblem | undefined;
};

/** Rows of docs/settings.md. */
export const googleWalletSettings = [
  {
    name: "GOOGLE_WALLET_ISSUER_ID",
    default: "none: no Google Wallet passes",
    meaning: "Issuer ID for Google Wallet, a long number. See [docs/wallet.md](docs/wallet.md).",
  },
  {
    name: "GOOGLE_WALLET_SERVICE_ACCOUNT",
    default: "none",
    meaning: "Path of the JSON key of the Google Cloud service account that may issue passes.",
  },
] as const;

type SettingName = (typeof googleWalletSettings)[number]["name"] | "GOOGLE_WALLET_API_URL";

/** Returns undefined when none of them is set. `get` returns "" for an unset one. */
export function readGoogleWalletSettings({
  get,
  cwd,
}: {
  get: (name: SettingName) => string;
  cwd: string;
}): GoogleWalletSettings | undefined {
  if (googleWalletSettings.every(({ name }) => !get(name))) return undefined;
  const path = get("GOOGLE_WALLET_SERVICE_ACCOUNT");
  return {
    issuerId: get("GOOGLE_WALLET_ISSUER_ID"),
    serviceAccount: path ? readAccountFile(path, cwd) : undefined,
    apiUrl: readLocalUrl(get("GOOGLE_WALLET_API_URL")),
  };
}

/** The problem never repeats the value, which could be the key itself. */
function readAccountFile(path: string, cwd: string): SettingFile {
  const file = readSettingFile(path, cwd);
  return Buffer.isBuffer(file) ? file : { problem: "must be the path of a JSON file that can be read." };
}

/** Another host would get the signed requests and the content of passes. */
function readLocalUrl(text: string): string | SettingProblem | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname)) return url.origin;
  return { problem: "is for tests: it must be a server on this machine." };
}
