import { clientKey } from "#app/services/client-api/client-route.server.ts";
import type { LastBackup } from "#app/services/backup/last-backup.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { providers, settings } from "#app/services/config/settings.ts";
import type { Setting } from "#app/services/config/setting-values.ts";
import type { Services } from "#app/services/http/context.ts";

import { dayMs, noticeDays } from "./certificate-mail.server.ts";

/** A part of the installation. No row holds a secret. */
export type SetupRow = {
  name: string;
  state: "on" | "off" | "warning";
  /** How it is configured now, or what is missing. */
  status: string;
  /** What it is good for. */
  purpose: string;
  /** The names of its settings. */
  settings: string[];
};

type SetupState = Pick<SetupRow, "state" | "status">;

type SetupSource = Pick<
  Services,
  "config" | "engine" | "signForever" | "mail" | "siteContent" | "googleWalletSetup" | "applePasses" | "clock"
> & { lastBackup: LastBackup | undefined };

/** The settings of this name's group, and what they do now. */
function row(name: string, purpose: string, now: SetupState): SetupRow {
  return { name, purpose, ...now, settings: settings.flatMap(({ env, group }) => (group === name ? env : [])) };
}

/** What is configured and what isn't. `address`: the network address that this request had. */
export function listSetup(source: SetupSource, address: string): SetupRow[] {
  const { config, engine, mail, siteContent } = source;
  const { s3, smtpUrl, trustedProxy, demo, sourceUrl, web3SignIn } = config;
  const contactTo = config.contactTo ?? siteContent.operator.email;
  const hasProxy = trustedProxy.length > 0;
  const proxyHint = hasProxy
    ? `Trusted: ${trustedProxy.join(", ")}.`
    : "If that’s your proxy’s address instead of yours, set TRUSTED_PROXY.";
  return [
    row("Address", "Used in every link, QR code and email. HTTPS protects passwords and cookies.", readAddress(config)),
    row("Database", "Accounts, profiles and cards. PostgreSQL lets several processes share them.", {
      state: "on",
      status: engine === "postgres" ? "PostgreSQL." : "SQLite in DATA_DIR.",
    }),
    row("Email", "Confirms addresses, resets passwords and alerts owners.", {
      state: smtpUrl === undefined ? "warning" : "on",
      status: mailStatus(config, mail.isConfigured),
    }),
    row("Sign-up", "Who can create an account.", {
      state: config.signUp === "closed" ? "off" : "on",
      status: signUpStatus(config),
    }),
    row("File storage", "Photos, banners, logos and resumes.", {
      state: "on",
      status: s3 ? `Bucket ${s3.bucket} at ${new URL(s3.endpoint).host}.` : "Folder files in DATA_DIR.",
    }),
    row("Reverse proxy", "Rate limits need the real address of each visitor.", {
      state: hasProxy ? "on" : "off",
      status: `This request came from ${address}. ${proxyHint}`,
    }),
    row("Contact form", "Visitors can write to you at /contact.", {
      state: contactTo ? "on" : "off",
      status: contactTo ? `Messages go to ${contactTo}.` : "No address, so there is no form.",
    }),
    row("Samples", "A sample profile and card, and sample quotes on the home page.", {
      state: demo ? "on" : "off",
      status: demo ? "Shown. Turn them off on a public site." : "Hidden.",
    }),
    row("Source code", "The security page links to the code that you run.", {
      state: sourceUrl ? "on" : "off",
      status: sourceUrl ?? "No link.",
    }),
    row("Ethereum wallets", "Users can sign in with a wallet that they have connected.", {
      state: web3SignIn ? "on" : "off",
      status: web3SignIn ? "Allowed in browsers with a wallet." : "Not offered.",
    }),
    row("Apps", "Apps sign users in to their own account and read and change what is theirs.", {
      state: config.dataApi ? "on" : "off",
      status: config.dataApi ? `Public key: ${clientKey(source)}` : "Turned off.",
    }),
    row("Apple Wallet", "Visitors and owners can add a card to Apple Wallet as a pass.", readApplePasses(source)),
    row("Google Wallet", "Visitors can add a card to Google Wallet, where it stays current.", readGoogleWallet(source)),
    ...contactRows(config),
    row("Monitoring", "Prometheus reads how the program is doing, and alerts you.", {
      state: config.metricsToken ? "on" : "off",
      status: config.metricsToken ? "Metrics at /metrics, for those with the token." : "No metrics.",
    }),
    row("Backups", "Bring everything back after a lost disk.", readBackups(source)),
  ];
}

/** The services that owners let us add contacts to, with the callback address that each has to be given. */
function contactRows({ baseUrl, contactClients }: Config): SetupRow[] {
  return (
    [
      ["Google Contacts", "google"],
      ["Microsoft 365", "microsoft"],
    ] as const
  ).map(([name, kind]) => {
    const callback = `Callback address: ${baseUrl}/integrations/callback/${kind}`;
    return row(name, "Owners can copy their leads to their contacts there.", {
      state: contactClients[kind] ? "on" : "off",
      status: `${contactClients[kind] ? "Offered." : "Not offered."} ${callback}`,
    });
  });
}

function readAddress({ baseUrl, isLocal }: Config): SetupState {
  if (baseUrl.startsWith("https:")) return { state: "on", status: `${baseUrl}.` };
  const risk = isLocal ? "this machine only." : "without HTTPS: passwords can be read in transit.";
  return { state: "warning", status: `${baseUrl}, ${risk}` };
}

function readBackups({ config: { backup, backupDays }, lastBackup, clock }: SetupSource): SetupState {
  const last = lastBackup && `The last one was made and checked on ${formatDate(lastBackup.createdAt)}.`;
  if (backup === "off") return { state: "warning", status: `Not made daily. ${last ?? "See docs/backups.md."}` };
  if (lastBackup && clock() - lastBackup.createdAt < 2 * dayMs)
    return { state: "on", status: `Daily, kept for ${backupDays} days. ${last}` };
  return { state: "warning", status: `Daily, but the last day has none. ${last ?? ""} The log says why.` };
}

function mailStatus({ smtpUrl, mailFrom }: Config, isConfigured: boolean): string {
  if (smtpUrl !== undefined) return `Sent through ${new URL(smtpUrl).host} as ${mailFrom}.`;
  return isConfigured ? "Stored in DATA_DIR/mail, for this machine only." : "No server, so no one can sign up.";
}

function signUpStatus({ signUp, providers: { sso } }: Config): string {
  const status = { open: "Everyone.", invite: "Whoever you invite under Invitations.", closed: "No one." }[signUp];
  return signUp !== "open" && sso?.createsAccounts ? `${status} Also everyone whom ${sso.name} knows.` : status;
}

function readApplePasses({ applePasses: passes, clock }: SetupSource): SetupState {
  if (passes.state === "off") return { state: "off", status: "No certificate, so no card offers a pass." };
  if (passes.state === "invalid") return { state: "warning", status: `No passes: ${passes.problems.join(" ")}` };
  const { passTypeId, expiresAt } = passes.signer;
  const [left, end] = [expiresAt - clock(), formatDate(expiresAt)];
  if (left <= 0) return { state: "warning", status: `No passes: a certificate expired on ${end}.` };
  const status = `${passTypeId}. The certificates are valid until ${end}.`;
  return left > noticeDays[0] * dayMs
    ? { state: "on", status }
    : { state: "warning", status: `${status} Replace them before.` };
}

function readGoogleWallet({ googleWalletSetup: setup }: SetupSource): SetupState {
  if (setup.state === "off") return { state: "off", status: "Not offered." };
  if (setup.state === "invalid") return { state: "warning", status: setup.problems.join(" ") };
  return { state: "on", status: `Issuer ${setup.account.issuerId}, as ${setup.account.clientEmail}.` };
}

/** The sign-in providers with the callback address that each has to be given, and the settings that each needs. */
export function listProviders({ baseUrl, providers: configured }: Config) {
  return Object.entries(providers).map(([id, group]) => {
    const required = Object.values<Setting>(group).filter((setting) => setting.default === undefined);
    return {
      name: required[0]?.group ?? id,
      state: Object.hasOwn(configured, id) ? ("on" as const) : ("off" as const),
      settings: required.map(({ env }) => env),
      callback: `${baseUrl}/api/auth/callback/${id}`,
    };
  });
}
