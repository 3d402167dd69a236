import { isIP } from "node:net";
import { resolve } from "node:path";

import {
  isRefusal,
  readAddresses,
  readHost,
  readMailbox,
  readOrigin,
  readPort,
  readSender,
  readServer,
  readSwitch,
} from "./config-values.ts";
import type { Refusal } from "./config-values.ts";
import { readS3 } from "./s3-settings.ts";
import type { S3Place } from "./s3-settings.ts";

export type Config = {
  port: number;
  host: string;
  /** The origin under which visitors reach us, without a slash at its end. */
  baseUrl: string;
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | undefined;
  smtpUrl: string | undefined;
  /** As in a mail's From: `Meishi <no-reply@example.com>`. */
  mailFrom: string;
  /** Addresses and networks (CIDR) whose X-Forwarded-For is believed. */
  trustedProxy: string[];
  /** Where what is written on /contact goes, one address; undefined: to the operator's in DATA_DIR/content/site.json. */
  contactTo: string | undefined;
  demo: boolean;
  /** Where files lie; undefined: in `dataDir`. */
  s3: S3Place | undefined;
  /** BASE_URL is this machine: developing, or trying it out. */
  isLocal: boolean;
};

type Environment = Record<string, string | undefined>;

/** Everything that can be set, as the README's table shows it (a test compares them). */
export const settings = [
  { name: "PORT", default: "`3000`", meaning: "Port to listen on. `0` takes any free one, and then needs `BASE_URL`." },
  {
    name: "HOST",
    default: "`127.0.0.1` while `BASE_URL` is localhost, else `0.0.0.0`",
    meaning: "Address to listen on.",
  },
  {
    name: "BASE_URL",
    default: "`http://localhost:PORT`",
    meaning: "Where people reach it: it is in every link, QR code and mail. No path.",
  },
  {
    name: "DATA_DIR",
    default: "`./data`",
    meaning:
      "Folder for the database, uploaded files, the secrets, your words (`content`) and the kept mail. Back it up; one process at a time.",
  },
  { name: "DATABASE_URL", default: "none: SQLite in `DATA_DIR`", meaning: "`postgres://user:password@host/database`" },
  {
    name: "SMTP_URL",
    default: "none: mail is kept as files in `DATA_DIR/mail`",
    meaning: "`smtp://user:password@host:587` or `smtps://…`. Needed for sign-up unless `BASE_URL` is localhost.",
  },
  { name: "MAIL_FROM", default: "`Meishi <no-reply@…>` at the host of `BASE_URL`", meaning: "Sender of all mail." },
  {
    name: "CONTACT_TO",
    default: "`operator.email` in `DATA_DIR/content/site.json`",
    meaning:
      "Mail address that gets what is written on `/contact`, by `SMTP_URL`. Without an address there is no form; on localhost, without `SMTP_URL`, messages are kept with the mail.",
  },
  {
    name: "TRUSTED_PROXY",
    default: "none",
    meaning:
      "Addresses of your reverse proxies, with commas between: `10.0.0.2, ::1`; a network (`10.0.9.0/24`) only if no visitor is in it. Only theirs is the `X-Forwarded-For` that counts.",
  },
  {
    name: "S3_ENDPOINT",
    default: "none: files are kept in `DATA_DIR/files`",
    meaning: "`https://s3.eu-central-1.amazonaws.com` or any server that speaks S3. Needs the bucket and both keys.",
  },
  { name: "S3_BUCKET", default: "none", meaning: "A bucket for this installation alone; it may be private." },
  { name: "S3_REGION", default: "`us-east-1`", meaning: "Region of the bucket, as its requests are signed." },
  { name: "S3_ACCESS_KEY_ID", default: "none", meaning: "Key that may list, read, write and delete there." },
  { name: "S3_SECRET_ACCESS_KEY", default: "none", meaning: "Its secret." },
  {
    name: "DEMO",
    default: "`on` while `BASE_URL` is localhost, else `off`",
    meaning: "`on` adds a sample profile `/u/demo-user` and its card `/card/demo-card`.",
  },
] as const satisfies readonly { name: string; default: string; meaning: string }[];

/** The process's environment. Nothing else may read it. */
export const environment = (): Environment => process.env;

/** Reads the environment whole, so that somebody with three mistakes in it is told of all three at once. */
export function readConfig(env: Environment, cwd: string): { config: Config } | { problems: string[] } {
  const problems: string[] = [];
  /** A variable that is set to nothing counts as not set: compose files do that. */
  function read<T>(name: (typeof settings)[number]["name"], parse: (text: string) => T | Refusal, otherwise: T): T {
    const text = env[name]?.trim();
    if (!text) return otherwise;
    const value = parse(text);
    if (!isRefusal(value)) return value;
    problems.push(`${name} ${value.refused}`);
    return otherwise;
  }

  const port = read("PORT", readPort, 3000);
  const baseUrl = read("BASE_URL", readOrigin, `http://localhost:${port}`);
  if (port === 0 && !env.BASE_URL?.trim())
    problems.push("PORT is 0 (any free port): that needs BASE_URL, or links would lead nowhere.");
  const { hostname } = new URL(baseUrl);
  const isLocal = LOCAL.includes(hostname);
  const config = {
    port,
    host: read("HOST", readHost, isLocal ? "127.0.0.1" : "0.0.0.0"),
    baseUrl,
    dataDir: resolve(cwd, env.DATA_DIR?.trim() || "data"),
    databaseUrl: read<string | undefined>("DATABASE_URL", readServer(["postgres:", "postgresql:"]), undefined),
    smtpUrl: read<string | undefined>("SMTP_URL", readServer(["smtp:", "smtps:"]), undefined),
    mailFrom: read("MAIL_FROM", readSender, `Meishi <no-reply@${isIP(hostname) ? "localhost" : hostname}>`),
    contactTo: read<string | undefined>("CONTACT_TO", readMailbox, undefined),
    trustedProxy: read("TRUSTED_PROXY", readAddresses, []),
    demo: read("DEMO", readSwitch, isLocal),
    s3: readS3((name) => env[name]?.trim() ?? "", problems),
    isLocal,
  };
  return problems.length > 0 ? { problems } : { config };
}

const LOCAL = ["localhost", "127.0.0.1", "[::1]"];
