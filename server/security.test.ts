import { describe, expect, test } from "vitest";

import { readConfig } from "#app/services/config.server.ts";
import type { Config } from "#app/services/config.server.ts";

import { contentSecurityPolicy, createAddressReader, inlineHash, isOwnOrigin } from "./security.ts";

function configWith(env: Record<string, string>): Config {
  const read = readConfig(env, "/tmp");
  if ("problems" in read) throw new Error(read.problems.join());
  return read.config;
}

describe("a write comes from our own pages", () => {
  const config = configWith({ BASE_URL: "https://meishi.example" });
  const from = (headers: Record<string, string>) => isOwnOrigin(new Headers(headers), config);

  test("the site's own origin is taken", () => {
    expect(from({ origin: "https://meishi.example", host: "meishi.example" })).toBe(true);
  });
  test("the origin that the request itself went to is taken: people open a server by other names too", () => {
    const local = configWith({});
    const headers = new Headers({ origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" });
    expect(isOwnOrigin(headers, local)).toBe(true);
  });
  test.each([
    ["another site", { origin: "https://evil.example", host: "meishi.example" }],
    ["a site whose name begins like ours", { origin: "https://meishi.example.evil.example", host: "meishi.example" }],
    ["a page without an origin", { origin: "null", host: "meishi.example" }],
    [
      "our own host without https, where somebody on the way may write",
      { origin: "http://meishi.example", host: "meishi.example" },
    ],
    ["another port", { origin: "https://meishi.example:8443", host: "meishi.example" }],
    ["no origin at all", { host: "meishi.example" }],
    [
      "no origin, and the browser says it came from elsewhere",
      { host: "meishi.example", "sec-fetch-site": "cross-site" },
    ],
  ])("%s is refused", (_who, headers) => {
    expect(from(headers)).toBe(false);
  });
});

describe("the visitor's address", () => {
  const direct = createAddressReader([]);
  const proxied = createAddressReader(["10.0.0.0/8", "::1"]);

  test("is the socket's, whatever the visitor writes into X-Forwarded-For", () => {
    expect(direct("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
    expect(proxied("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
  });
  test("is the last one that a trusted proxy did not add itself", () => {
    expect(proxied("10.0.0.2", "1.2.3.4, 203.0.113.9, 10.0.0.7")).toBe("203.0.113.9");
    expect(proxied("::ffff:10.0.0.2", "203.0.113.9")).toBe("203.0.113.9");
  });
  test("is read without the port that some proxies add", () => {
    expect(proxied("10.0.0.2", "203.0.113.9:51324")).toBe("203.0.113.9");
    expect(proxied("10.0.0.2", "[2001:db8::1]:443")).toBe("2001:db8::1");
    expect(proxied("10.0.0.2", "2001:db8::1")).toBe("2001:db8::1");
  });
  test("a proxy in a private network that nobody named is told of, once; the open net is not", () => {
    const told: string[] = [];
    const read = createAddressReader([], (address) => told.push(address));
    read("203.0.113.9", "1.2.3.4");
    read("10.0.0.2", null);
    expect(told).toEqual([]);
    read("::ffff:172.18.0.1", "1.2.3.4");
    read("10.0.0.2", "1.2.3.4");
    expect(told).toEqual(["172.18.0.1"]);
  });
  test("is the proxy's own where the header says nothing else", () => {
    expect(proxied("10.0.0.2", null)).toBe("10.0.0.2");
    expect(proxied("::1", "10.1.1.1")).toBe("::1");
  });
});

describe("the Content-Security-Policy", () => {
  const inline = { style: inlineHash("a{}"), script: inlineHash("b()") };

  test("of a public page allows the one inline style and script it names, and no other", () => {
    const policy = contentSecurityPolicy(inline);
    expect(policy).toContain("default-src 'none'");
    // The hash as openssl makes it: printf 'a{}' | openssl dgst -sha256 -binary | base64
    expect(policy).toContain("style-src 'self' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='");
    expect(policy).toMatch(/script-src 'sha256-[^ ]+';/);
    expect(policy).not.toContain("unsafe");
  });
  test("lets a picture that was chosen and not sent yet be seen on a signed-in page, and nowhere else", () => {
    expect(contentSecurityPolicy(inline, "abc")).toContain("img-src 'self' data: blob:;");
    expect(contentSecurityPolicy(inline)).toContain("img-src 'self' data:;");
  });
  test("of a signed-in page allows its own scripts by a nonce that no other answer has", () => {
    expect(contentSecurityPolicy(inline, "abc")).toContain("script-src 'self' 'nonce-abc' 'sha256-");
  });
});
