import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";

import type { Logger } from "pino";
import { z } from "zod";

import { isFileContent } from "./apple-pass-settings.server.ts";
import type { SettingFile } from "./apple-pass-settings.server.ts";
import type { GoogleWalletSettings } from "./google-wallet-settings.server.ts";
import { isSettingProblem } from "./setting-values.ts";

/** Who issues passes in Google Wallet, and with which key. */
export type GoogleWalletAccount = {
  issuerId: string;
  /** The address of the service account. */
  clientEmail: string;
  key: KeyObject;
  keyId: string | undefined;
  /** See `GoogleWalletSettings`. */
  apiUrl: string | undefined;
};

export type GoogleWalletSetup =
  | { state: "off" }
  /** Each problem is a sentence that starts with the setting's name. */
  | { state: "invalid"; problems: string[] }
  | { state: "ready"; account: GoogleWalletAccount };

/** Checks the issuer and the key of the service account. Wrong settings are logged: they don't stop the site. */
export function openGoogleWallet(settings: GoogleWalletSettings | undefined, log: Logger): GoogleWalletSetup {
  if (!settings) return { state: "off" };
  const problems: string[] = [];
  const { issuerId, apiUrl } = settings;
  if (!issuerId) problems.push("GOOGLE_WALLET_ISSUER_ID must also be set.");
  else if (!/^\d{5,30}$/.test(issuerId))
    problems.push("GOOGLE_WALLET_ISSUER_ID must be the number that the Google Pay & Wallet Console shows.");
  if (isSettingProblem(apiUrl)) problems.push(`GOOGLE_WALLET_API_URL ${apiUrl.problem}`);
  const account = readAccount(settings.serviceAccount, problems);
  if (problems.length > 0 || !account || isSettingProblem(apiUrl)) {
    log.error({ problems }, "There are no Google Wallet passes, because their settings are wrong");
    return { state: "invalid", problems };
  }
  return { state: "ready", account: { ...account, issuerId, apiUrl } };
}

/** The key file of a service account: https://cloud.google.com/iam/docs/keys-create-delete */
const keyFileSchema = z.object({
  type: z.string().optional(),
  client_email: z.email().optional().catch(undefined),
  private_key: z.string().optional().catch(undefined),
  private_key_id: z.string().optional().catch(undefined),
});

function readAccount(file: SettingFile, problems: string[]) {
  const name = "GOOGLE_WALLET_SERVICE_ACCOUNT";
  if (!isFileContent(file)) {
    problems.push(`${name} ${file ? file.problem : "must also be set."}`);
    return undefined;
  }
  const { data } = keyFileSchema.safeParse(parseJson(file));
  if (!data) problems.push(`${name} is not a JSON file of a service account.`);
  else if (data.type !== "service_account")
    problems.push(`${name} is not the key of a service account: its "type" must be "service_account".`);
  if (data?.type !== "service_account") return undefined;
  const { client_email: clientEmail, private_key_id: keyId } = data;
  if (!clientEmail) problems.push(`${name} has no valid "client_email".`);
  const key = readKey(data.private_key);
  if (!key) problems.push(`${name} has no valid RSA key of at least 2048 bits in "private_key".`);
  return clientEmail && key ? { clientEmail, key, keyId } : undefined;
}

function parseJson(file: Buffer): unknown {
  try {
    return JSON.parse(file.toString());
  } catch {
    // Its message could repeat a part of the key.
    return undefined;
  }
}

function readKey(pem: string | undefined): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem ?? "");
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    // RFC 7518 §3.3: RS256 needs 2048 bits.
    return key.asymmetricKeyType === "rsa" && bits >= 2048 ? key : undefined;
  } catch {
    return undefined;
  }
}
