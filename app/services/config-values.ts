import { isIP } from "node:net";

/** Why a value can't be used, continuing a sentence that starts with the setting's name. */
export type Refusal = { refused: string };

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refused" in value;
}

export function readPort(text: string): number | Refusal {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  return { refused: `is ${quoted(text)}: it must be a whole number from 0 to 65535.` };
}

export function readHost(text: string): string | Refusal {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) || HOST_NAME.test(host)) return host;
  return {
    refused: `is ${quoted(text)}: it must be an address such as 127.0.0.1, ::, or a host name, without a port.`,
  };
}

/** "https://Example.com/" -> "https://example.com" */
export function readOrigin(text: string): string | Refusal {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    return { refused: `is ${quoted(text)}: it must start with http:// or https:// and name a host.` };
  }
  if (url.username || url.password) return { refused: "must not hold a user or a password." };
  if (url.pathname !== "/" || url.search || url.hash || /[?#]$/.test(text)) {
    return { refused: `is ${quoted(text)}: it must end after the host and the port, such as ${url.origin}` };
  }
  return url.origin;
}

/** The address of a server; never repeated in a refusal, because it may hold a password. */
export function readServer(protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(" or ");
  return (text: string): string | Refusal => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol) || !text.includes("://")) {
      return {
        refused: `must be an address that starts with ${starts} (signs such as @ : / # % in a password are written as %40 %3A %2F %23 %25).`,
      };
    }
    if (!url.hostname && !url.searchParams.has("host")) return { refused: "names no host." };
    return text;
  };
}

/** An address, or a name and an address in angle brackets. */
export function readSender(text: string): string | Refusal {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  // oxlint-disable-next-line no-control-regex -- a line break in a header starts another header
  if (MAIL_ADDRESS.test(address) && !/[\u0000-\u001f\u007f]/.test(text)) return text;
  return {
    refused: `is ${quoted(text)}: it must be a mail address, or a name and an address such as Meishi <hello@example.com>.`,
  };
}

/** One address, without a name. */
export function readMailbox(text: string): string | Refusal {
  return MAIL_ADDRESS.test(text)
    ? text
    : { refused: `is ${quoted(text)}: it must be one mail address, without a name.` };
}

export function readAddresses(text: string): string[] | Refusal {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = parts.filter((part) => !isNetwork(part));
  if (wrong.length === 0) return parts;
  return {
    refused: `holds ${wrong.map(quoted).join(", ")}: each part must be an address (192.0.2.1) or a network (10.0.0.0/8).`,
  };
}

export function readSwitch(text: string): boolean | Refusal {
  const wanted = text.toLowerCase();
  return wanted === "on" || wanted === "off"
    ? wanted === "on"
    : { refused: `is ${quoted(text)}: it must be on or off.` };
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Long values are cut, invisible signs are shown: it ends up in a log. */
function quoted(text: string) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const MAIL_ADDRESS = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;
