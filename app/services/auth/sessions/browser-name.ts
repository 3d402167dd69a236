import Bowser from "bowser";

/** The browser and system that a User-Agent header names: "Firefox on Windows". Versions are left out, to say no more than needed. */
export function browserName(userAgent: string | null | undefined): string {
  // A header may be 16 kB; parsing a long one is slow.
  const text = (userAgent ?? "").slice(0, 500);
  if (text === "") return unknownBrowser;
  const { browser, os } = Bowser.parse(text);
  // For others the library returns text from the header, which anyone could have us put into an email.
  const name = browser.name && knownBrowsers.has(browser.name) ? browser.name : unknownBrowser;
  return os.name ? `${name} on ${os.name}` : name;
}

const unknownBrowser = "Unknown browser";
const knownBrowsers = new Set<string>(Object.values(Bowser.BROWSER_MAP));
