import { createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";

import type { Logger } from "pino";
import { z } from "zod";

import type { Config } from "./config.server.ts";

/** Who issues passes in Google Wallet, and with which key. */
export type GoogleWalletAccount = {
  issuerId: string;
  /** The address of the service account. */
  clientEmail: string;
  key: KeyObject;
  keyId: string | undefined;
  /** A server on this machine that takes Google's part in a test. */
  apiUrl: string | undefined;
};

export type GoogleWalletSetup =
  | { state: "off" }
  /** Each problem is a sentence that starts with the setting's name. */
  | { state: "invalid"; problems: string[] }
  | { state: "ready"; account: GoogleWalletAccount };

/** Checks the issuer and the key of the service account. Wrong settings are logged: they don't stop the site. */
export function openGoogleWallet(settings: Config["googleWallet"], log: Logger): GoogleWalletSetup {
  if (!settings) return { state: "off" };
  const { issuerId, serviceAccount, apiUrl } = settings;
  const problems = [...settings.problems];
  const account = serviceAccount && readAccount(serviceAccount, problems);
  if (problems.length > 0 || !account || !issuerId) {
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

function readAccount(file: Buffer, problems: string[]) {
  const name = "GOOGLE_WALLET_SERVICE_ACCOUNT";
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
