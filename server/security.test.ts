import { describe, expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";

import { contentSecurityPolicy, createAddressReader, inlineHash, isOwnOrigin } from "./security.ts";

function configWith(env: Record<string, string>): Config {
  const read = readConfig(env, "/tmp");
  if ("problems" in read) throw new Error(read.problems.join());
  return read.config;
}

describe("the origin check", () => {
  const config = configWith({ BASE_URL: "https://meishi.example" });
  const from = (headers: Record<string, string>) => isOwnOrigin(new Headers(headers), config);

  test("accepts the site's own origin", () => {
    expect(from({ origin: "https://meishi.example", host: "meishi.example" })).toBe(true);
  });
  test("accepts the origin of the host that the request went to", () => {
    const local = configWith({});
    const headers = new Headers({ origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" });
    expect(isOwnOrigin(headers, local)).toBe(true);
  });
  test.each([
    ["another site", { origin: "https://evil.example", host: "meishi.example" }],
    ["a site whose name starts with ours", { origin: "https://meishi.example.evil.example", host: "meishi.example" }],
    ["a page without an origin", { origin: "null", host: "meishi.example" }],
    ["our own host without https", { origin: "http://meishi.example", host: "meishi.example" }],
    ["another port", { origin: "https://meishi.example:8443", host: "meishi.example" }],
    ["no origin at all", { host: "meishi.example" }],
    ["no origin, from a cross-site request", { host: "meishi.example", "sec-fetch-site": "cross-site" }],
  ])("refuses %s", (_, headers) => {
    expect(from(headers)).toBe(false);
  });
});

describe("the visitor's address", () => {
  const direct = createAddressReader([]);
  const proxied = createAddressReader(["10.0.0.0/8", "::1"]);

  test("is the socket's, whatever X-Forwarded-For contains", () => {
    expect(direct("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
    expect(proxied("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
  });
  test("is the last one that is not a trusted proxy", () => {
    expect(proxied("10.0.0.2", "1.2.3.4, 203.0.113.9, 10.0.0.7")).toBe("203.0.113.9");
    expect(proxied("::ffff:10.0.0.2", "203.0.113.9")).toBe("203.0.113.9");
  });
  test("is read without the port that some proxies add", () => {
    expect(proxied("10.0.0.2", "203.0.113.9:51324")).toBe("203.0.113.9");
    expect(proxied("10.0.0.2", "[2001:db8::1]:443")).toBe("2001:db8::1");
    expect(proxied("10.0.0.2", "2001:db8::1")).toBe("2001:db8::1");
  });
  test("reports an unconfigured proxy in a private network once, and none on the internet", () => {
    const reported: string[] = [];
    const read = createAddressReader([], (address) => reported.push(address));
    read("203.0.113.9", "1.2.3.4");
    read("10.0.0.2", null);
    expect(reported).toEqual([]);
    read("::ffff:172.18.0.1", "1.2.3.4");
    read("10.0.0.2", "1.2.3.4");
    expect(reported).toEqual(["172.18.0.1"]);
  });
  test("is the proxy's when the header has no other", () => {
    expect(proxied("10.0.0.2", null)).toBe("10.0.0.2");
    expect(proxied("::1", "10.1.1.1")).toBe("::1");
  });
});

describe("the Content-Security-Policy", () => {
  const inline = { style: inlineHash("a{}"), script: inlineHash("b()") };

  test("of a public page allows only the inline style and script that it names", () => {
    const policy = contentSecurityPolicy(inline);
    expect(policy).toContain("default-src 'none'");
    // The hash from openssl: printf 'a{}' | openssl dgst -sha256 -binary | base64
    expect(policy).toContain("style-src 'self' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='");
    expect(policy).toMatch(/script-src 'sha256-[^ ]+';/);
    expect(policy).not.toContain("unsafe");
  });
  test("allows blob: images on signed-in pages only", () => {
    expect(contentSecurityPolicy(inline, "abc")).toContain("img-src 'self' data: blob:;");
    expect(contentSecurityPolicy(inline)).toContain("img-src 'self' data:;");
  });
  test("of a signed-in page allows its scripts by a nonce", () => {
    expect(contentSecurityPolicy(inline, "abc")).toContain("script-src 'self' 'nonce-abc' 'sha256-");
  });
});
