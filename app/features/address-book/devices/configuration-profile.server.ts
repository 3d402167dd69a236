import { createHash } from "node:crypto";

import { escapeXml } from "#app/features/address-book/dav/xml-parser.ts";
import { bookName, davPaths } from "#app/features/address-book/rules.ts";

type Account = { baseUrl: string; email: string; name: string; password: string };

/**
 * A configuration profile for Apple devices that adds the account to their contacts.
 * https://developer.apple.com/documentation/devicemanagement/carddav
 */
export function formatProfile({ baseUrl, email, name, password }: Account): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  const organization = { PayloadVersion: 1, PayloadOrganization: "Meishi" };
  const account = {
    PayloadType: "com.apple.carddav.account",
    ...identify("account", password, hostname),
    ...organization,
    PayloadDisplayName: bookName,
    CardDAVAccountDescription: bookName,
    CardDAVHostName: hostname,
    CardDAVPort: Number(port) || (isSecure ? 443 : 80),
    CardDAVUseSSL: isSecure,
    CardDAVPrincipalURL: davPaths.principal,
    CardDAVUsername: email,
    CardDAVPassword: password,
  };
  const profile = {
    PayloadType: "Configuration",
    ...identify("profile", password, hostname),
    ...organization,
    PayloadDisplayName: `${bookName} (${name})`,
    PayloadDescription: "Shows your leads in the contacts of this device.",
    PayloadContent: [account],
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${formatValue(profile)}
</plist>
`;
}

type Value = string | number | boolean | readonly Value[] | { [key: string]: Value };

/** A device replaces a profile that has the same identifier; each device password has its own. */
function identify(kind: string, password: string, hostname: string) {
  const hex = createHash("sha256").update(`${kind}\n${password}`).digest("hex");
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return {
    PayloadUUID: uuid.join("-").toUpperCase(),
    PayloadIdentifier: `${hostname.split(".").toReversed().join(".")}.leads.${kind}.${hex.slice(0, 8)}`,
  };
}

function formatValue(value: Value): string {
  if (typeof value === "string") return `<string>${escapeXml(value)}</string>`;
  if (typeof value === "number") return `<integer>${value}</integer>`;
  if (typeof value === "boolean") return value ? "<true/>" : "<false/>";
  if (isList(value)) return `<array>${value.map(formatValue).join("")}</array>`;
  const entries = Object.entries(value).map(([key, one]) => `<key>${escapeXml(key)}</key>${formatValue(one)}`);
  return `<dict>\n${entries.join("\n")}\n</dict>`;
}

function isList(value: readonly Value[] | object): value is readonly Value[] {
  return Array.isArray(value);
}
