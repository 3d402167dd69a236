import { describe, expect, test } from "vitest";

import { contentSecurityPolicy, createAddressReader, inlineHash } from "./security.ts";

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
