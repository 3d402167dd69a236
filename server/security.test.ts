import { describe, expect, test } from "vitest";

import { contentSecurityPolicy, createAddressReader, inlineHash } from "./security.ts";

describe("the visitor's address", () => {
  test.each([
    ["203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["10.0.0.2", "1.2.3.4, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
    ["::ffff:10.0.0.2", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.2", "203.0.113.9:51324", "203.0.113.9"],
    ["10.0.0.2", "[2001:db8::1]:443", "2001:db8::1"],
    ["10.0.0.2", "2001:db8::1", "2001:db8::1"],
    ["10.0.0.2", null, "10.0.0.2"],
    ["::1", "10.1.1.1", "::1"],
  ])("from %s with X-Forwarded-For %j is the last one that is not a trusted proxy", (socket, header, address) => {
    expect(createAddressReader(["10.0.0.0/8", "::1"])(socket, header)).toBe(address);
    expect(createAddressReader([])("203.0.113.9", header)).toBe("203.0.113.9");
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
});

test("a policy allows the inline style and script that it names; signed-in pages a nonce and blob: images", () => {
  const inline = { style: inlineHash("a{}"), script: inlineHash("b()") };
  const policy = contentSecurityPolicy(inline);
  expect(policy).toContain("default-src 'none'");
  // The hash from openssl: printf 'a{}' | openssl dgst -sha256 -binary | base64
  expect(policy).toContain("style-src 'self' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='");
  expect(policy).toMatch(/script-src 'sha256-[^ ]+';/);
  expect(policy).toContain("img-src 'self' data:;");
  expect(policy).not.toContain("unsafe");
  const ofSignedIn = contentSecurityPolicy(inline, { nonce: "abc" });
  expect(ofSignedIn).toContain("img-src 'self' data: blob:;");
  expect(ofSignedIn).toContain("script-src 'self' 'nonce-abc' 'sha256-");
});
