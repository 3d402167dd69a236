import { isIP } from "node:net";

/** Why a value is invalid, as the rest of a sentence that starts with the setting's name. */
export type SettingProblem = { problem: string };

export function isSettingProblem(value: unknown): value is SettingProblem {
  return typeof value === "object" && value !== null && "problem" in value;
}

export function parsePort(text: string): number | SettingProblem {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  return { problem: `is ${quoted(text)}: it must be a whole number from 0 to 65535.` };
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
export function parseMailAddress(text: string): string | SettingProblem {
  return mailAddressPattern.test(text)
    ? text
    : { problem: `is ${quoted(text)}: it must be a single email address, without a name.` };
}

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
  return /^[\w-]{1,60}$/.test(text)
    ? text.toLowerCase()
    : { problem: `is ${quoted(text)}: it must be the name of a header, such as CF-IPCountry.` };
}

export function parseSwitch(text: string): boolean | SettingProblem {
  const wanted = text.toLowerCase();
  return wanted === "on" || wanted === "off"
    ? wanted === "on"
    : { problem: `is ${quoted(text)}: it must be on or off.` };
}

/** How owners get Premium: everyone has it, they can buy it, or only the operator gives it. */
export type PremiumAccess = "everyone" | "sold" | "granted";

/** The plan of every owner, "free" or "premium" -> whether everyone has Premium. */
export function parsePlanForEveryone(text: string): boolean | SettingProblem {
  const plan = text.toLowerCase();
  return plan === "premium" || plan === "free"
    ? plan === "premium"
    : { problem: `is ${quoted(text)}: it must be premium or free.` };
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Shortens long values and escapes invisible characters, for the log. */
function quoted(text: string) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

const hostNamePattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const mailAddressPattern = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;

/** The bucket is the first part of the path at `endpoint`, which has no trailing slash. */
export type S3Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/**
 * Reads the settings named S3_*; returns undefined when none is set. Adds everything that is missing or wrong to `problems`, without
 * repeating a key. `get` returns "" for an unset variable.
 */
export function readS3Settings(get: (name: string) => string, problems: string[]): S3Settings | undefined {
  const all = [...requiredS3Settings, "S3_REGION"];
  if (all.every((name) => !get(name))) return undefined;
  const missing = requiredS3Settings.filter((name) => !get(name));
  if (missing.length > 0) {
    problems.push(`${missing.join(" and ")} must also be set: storing files in S3 needs all of these settings.`);
  }
  const take = (name: string, parse: (text: string) => string | SettingProblem) => {
    const value = get(name) && parse(get(name));
    if (!isSettingProblem(value)) return value;
    problems.push(`${name} ${value.problem}`);
    return "";
  };
  return {
    endpoint: take("S3_ENDPOINT", parseEndpoint),
    bucket: take("S3_BUCKET", parseBucket),
    region: take("S3_REGION", parseRegion) || "us-east-1",
    accessKeyId: take("S3_ACCESS_KEY_ID", parseKey),
    secretAccessKey: take("S3_SECRET_ACCESS_KEY", parseKey),
  };
}

const requiredS3Settings = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/** Some servers provide S3 below a path. */
function parseEndpoint(text: string): string | SettingProblem {
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

function parseBucket(text: string): string | SettingProblem {
  if (/^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/i.test(text)) return text;
  return { problem: `is ${JSON.stringify(text.slice(0, 80))}: it must be the name of a bucket, not its URL.` };
}

function parseRegion(text: string): string | SettingProblem {
  return /^[a-z\d-]{1,40}$/i.test(text) ? text : { problem: "must be a name such as eu-central-1 or auto." };
}

/** A line break would end a header; a space is a copy mistake. */
function parseKey(text: string): string | SettingProblem {
  return /^[\x21-\x7e]+$/.test(text)
    ? text
    : { problem: "contains a character that isn't allowed in a key, such as a space or a quote." };
}
