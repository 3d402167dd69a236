import { createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";

type SettingOptions = {
  /** Its meaning in docs/settings.md. Without one, it is for tests or documented in another group, and turns none on. */
  doc?: string;
  /** What an unset variable stands for. */
  default?: string;
  /** What happens without it, if it is optional; as in docs/settings.md. */
  without?: string;
  /** What happens without its group; as in docs/settings.md. */
  off?: string;
};

/** A setting without `default` and `without` is required in its group. `group`: its row of /admin/setup. */
export type Setting<T = unknown> = SettingOptions & {
  env: string;
  group: string | undefined;
  parse: (text: string, cwd: string) => T | SettingProblem;
};

/** Settings by the names that the program has for them. */
export type Settings = Record<string, Setting>;

/** The values of settings: `undefined` only for optional ones. */
export type Values<S> = {
  [Key in keyof S]: S[Key] extends Setting<infer T>
    ? T | (S[Key] extends { without: string } ? undefined : never)
    : never;
};

/** Why a value is invalid, as the rest of a sentence that starts with the setting's name. */
export type SettingProblem = { problem: string };

/** Declares settings of a group, or of none. */
export function settingIn(group?: string) {
  return <T, O extends SettingOptions>(env: Setting["env"], parse: Setting<T>["parse"], options: O) => ({
    env,
    group,
    parse,
    ...options,
  });
}

const hostNamePattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const mailAddressPattern = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;
/** How a URL names this machine. */
export const localHosts = ["localhost", "127.0.0.1", "[::1]"];

export function isSettingProblem(value: unknown): value is SettingProblem {
  return typeof value === "object" && value !== null && "problem" in value;
}

/** Accepts texts of a pattern. The problem never repeats the value, which may be a secret. */
export function matching(pattern: RegExp, problem: string) {
  return (text: string): string | SettingProblem => (pattern.test(text) ? text : { problem });
}

/** Accepts texts of a pattern. The problem repeats the value. */
export function quoting(pattern: RegExp, problem: string) {
  return (text: string) => (pattern.test(text) ? text : { problem: `is ${quoted(text)}: ${problem}` });
}

/** Accepts two words, in any case; the first stands for true. */
export function choice(yes: string, no: string) {
  return (text: string): boolean | SettingProblem => {
    const word = text.toLowerCase();
    return word === yes || word === no ? word === yes : { problem: `is ${quoted(text)}: it must be ${yes} or ${no}.` };
  };
}

/** Accepts one of several words, in any case. */
export function oneOf<Word extends string>(...words: readonly Word[]) {
  return (text: string): Word | SettingProblem =>
    words.find((word) => word === text.toLowerCase()) ?? {
      problem: `is ${quoted(text)}: it must be ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`,
    };
}

/** Who may create an account. */
export type SignUpPolicy = "open" | "invite" | "closed";

/** Accepts whole numbers. `what`: "a whole number of days". */
export function wholeNumber(least: number, most: number, what = "a whole number") {
  return (text: string): number | SettingProblem => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    return { problem: `is ${quoted(text)}: it must be ${what} from ${least} to ${most}.` };
  };
}

export function parseHost(text: string): string | SettingProblem {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) || hostNamePattern.test(host)) return host;
  return {
    problem: `is ${quoted(text)}: it must be an IP address (127.0.0.1, ::) or a host name, without a port.`,
  };
}

/** "https://Example.com/" -> "https://example.com" */
export function parseOrigin(text: string): string | SettingProblem {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return { problem: `is ${quoted(text)}: it must start with http:// or https:// and include a host.` };
  }
  if (url.username || url.password) return { problem: "must not contain a username or password." };
  if (url.pathname !== "/" || url.search || url.hash || /[?#]$/.test(text)) {
    return { problem: `is ${quoted(text)}: nothing may follow the host and port, as in ${url.origin}` };
  }
  return url.origin;
}

/** Origins of websites, and addresses that open an app on a phone (RFC 8252 §7.1), separated by commas. */
export function parseOrigins(text: string): string[] | SettingProblem {
  const parts = text.split(",").flatMap((part) => part.trim() || []);
  const isApp = (part: string) =>
    /^[a-z][a-z\d+.-]*:\/\/[\w.-]*\/?$/i.test(part) && !/^(https?|javascript|data|file|blob):/i.test(part);
  const origins = parts.map((part) => (isApp(part) ? part : parseOrigin(part)));
  return origins.find((origin) => isSettingProblem(origin)) ?? origins.filter((origin) => typeof origin === "string");
}

/** The address of a web page. The problem never repeats the value, which may contain a password. */
export function parseWebAddress(text: string): string | SettingProblem {
  const url = URL.parse(text);
  if (!url || url.username || url.password || !/^https?:\/\/[^/\\?#\s]+\S*$/i.test(text))
    return { problem: "must be a URL that starts with https:// or http://, without a username or password." };
  return url.href;
}

/** Parses the URL of a server. The problem never repeats the value, which may contain a password. */
export function parseServerUrl(protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(" or ");
  return (text: string): string | SettingProblem => {
    // URLs have no username without a host, which a socket doesn't need: postgres://app:pw@/cards?host=/run/postgresql
    const url = URL.parse(text) ?? URL.parse(text.replace(/\/\/[^/?#@]*@\//, "///"));
    if (!url || !protocols.includes(url.protocol) || !text.includes("://")) {
      return {
        problem: `must be a URL that starts with ${starts} (in a password, write @ : / # % as %40 %3A %2F %23 %25).`,
      };
    }
    if (!url.hostname && !url.searchParams.has("host")) return { problem: "has no host." };
    return text;
  };
}

/** Parses an address, or a name with an address in angle brackets. */
export function parseSender(text: string): string | SettingProblem {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  // oxlint-disable-next-line no-control-regex -- a line break in a header starts another header
  if (mailAddressPattern.test(address) && !/[\u0000-\u001f\u007f]/.test(text)) return text;
  return {
    problem: `is ${quoted(text)}: it must be an email address, alone or with a name, such as Meishi <hello@example.com>.`,
  };
}

/** Parses one address without a name. */
export const parseMailAddress = quoting(mailAddressPattern, "it must be a single email address, without a name.");

/** Parses addresses separated by commas, and turns them into lowercase. */
export function parseMailAddresses(text: string): string[] | SettingProblem {
  const parts = text.split(",").map((part) => part.trim().toLowerCase());
  const addresses = parts.filter((part) => part !== "");
  const wrong = addresses.filter((part) => !mailAddressPattern.test(part));
  return wrong.length === 0
    ? addresses
    : { problem: `contains ${wrong.map(quoted).join(", ")}: each part must be an email address.` };
}

export function parseNetworks(text: string): string[] | SettingProblem {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = parts.filter((part) => !isNetwork(part));
  if (wrong.length === 0) return parts;
  return {
    problem: `contains ${wrong.map(quoted).join(", ")}: each part must be an IP address (192.0.2.1) or a network (10.0.0.0/8).`,
  };
}

/** The name of a request header, in lower case (RFC 9110 §5.1). */
export function parseHeaderName(text: string): string | SettingProblem {
  const name = quoting(/^[\w-]{1,60}$/, "it must be the name of a header, such as CF-IPCountry.")(text);
  return isSettingProblem(name) ? name : name.toLowerCase();
}

/** How owners get Premium: everyone has it, they can buy it, or only the operator gives it. */
export type PremiumAccess = "everyone" | "sold" | "granted";

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Shortens long values and escapes invisible characters, for the log. */
export function quoted(text: string) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** Some servers provide S3 below a path. */
export function parseEndpoint(text: string): string | SettingProblem {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return { problem: "must start with http:// or https:// and include a host." };
  }
  if (url.username || url.password)
    return {
      problem: "must not contain a username or password. Use S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY instead.",
    };
  if (url.search || url.hash) return { problem: "must end with the host or a path, without ? and #." };
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** A key, an ID or a client's secret. A line break would end a header; a space is a copy mistake. */
export const parseSecret = matching(/^[\x21-\x7e]+$/, "contains a character that isn't allowed, such as a space.");

/** HTTP is for a provider on this machine. */
export function parseIssuer(text: string): string | SettingProblem {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && localHosts.includes(url.hostname);
  if (!url || !(url.protocol === "https:" || isLocal) || /[?#\s]/.test(text) || url.username || url.password)
    return { problem: "must be a URL that starts with https://, without a username, ? or #." };
  return text;
}

/** The URL of a server on this machine that takes another's part in a test. */
export function parseTestUrl(protocol: "http:" | "https:") {
  return (text: string): string | SettingProblem => {
    const url = URL.parse(text);
    if (url?.protocol === protocol && localHosts.includes(url.hostname)) return url.origin;
    return { problem: "is for tests: it must be a server on this machine." };
  };
}

/** Accepts the text of a PEM file, or the path of a file, which it reads. The problem never repeats the value. */
export function parseFile(expected: string) {
  return (typed: string, cwd: string): Buffer | SettingProblem => {
    const text = typed.replaceAll(String.raw`\n`, "\n");
    if (text.includes("-----BEGIN")) return Buffer.from(text);
    try {
      const path = resolve(cwd, typed);
      const { size } = statSync(path);
      if (size > 0 && size <= maxFileBytes) return readFileSync(path);
    } catch {
      // Its message could repeat a secret that was set in the wrong place.
    }
    return { problem: `must be ${expected} that can be read.` };
  };
}

const maxFileBytes = 100_000;

/** The private key of Sign in with Apple, as PKCS #8 in PEM. */
export function parseSignInKey(typed: string, cwd: string): string | SettingProblem {
  const file = parseFile("the text of the .p8 file or the path of a file")(typed, cwd);
  if (isSettingProblem(file)) return file;
  try {
    const key = createPrivateKey(file);
    if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key.export({ type: "pkcs8", format: "pem" });
  } catch {
    // Its message could repeat the key.
  }
  return { problem: "is not a private key of Sign in with Apple (P-256, in a .p8 file)." };
}
