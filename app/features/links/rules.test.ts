import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addressKind, hostLabel, isAllowedAddress, shortenHost, withScheme } from "./rules.ts";

describe("withScheme", () => {
  test.each([
    ["  example.com/me ", "https://example.com/me"],
    ["www.example.co.uk/a b?c#d", "https://www.example.co.uk/a b?c#d"],
    ["Example.COM:8080/me", "https://Example.COM:8080/me"],
    ["//example.com/x", "https://example.com/x"],
    ["my_shop.example.com", "https://my_shop.example.com"],
    ["名刺.みんな", "https://名刺.みんな"],
    ["xn--mnchen-3ya.xn--p1ai", "https://xn--mnchen-3ya.xn--p1ai"],
    ["localhost:3000/u/ada", "https://localhost:3000/u/ada"],
    ["192.168.0.1/x", "https://192.168.0.1/x"],
    ["[::1]:3000", "https://[::1]:3000"],
    ["\u200eexample.com", "https://example.com"],
    ["javascript.com", "https://javascript.com"],
    ["HTTPS://Example.com/Me", "https://Example.com/Me"],
    ["MailTo:Ada@example.com", "mailto:Ada@example.com"],
    [" Lena@Müller.example", "mailto:Lena@xn--mller-kva.example"],
    ["https://https://example.com/?to=https://a.example", "https://example.com/?to=https://a.example"],
    ["https://HTTP://example.com", "http://example.com"],
    ["https://https//example.com", "https://example.com"],
  ])("changes %s to %s", (typed, completed) => expect(withScheme(typed)).toBe(completed));

  test("returns text without a domain, or with another scheme, unchanged", () => {
    const words = ["", "my site", "see example.com", ..."portfolio /u/ada // //x example. .com 1.5 a..b".split(" ")];
    const schemes = ["javascript:alert(1)", "javascript:80", "data:text/html,x", "ftp://example.com", "sms:+4420"];
    const typed = [...words, ...schemes, "ada@example.com/x", "http://example.com"];
    expect(typed.map(withScheme)).toEqual(typed);
  });

  test("handles text made to slow down its regular expression", () => {
    const long = ["a.", ".", "-", "1.", "xn--", "a.a-"].map((unit) => unit.repeat(512));
    expect(long.map(withScheme)).toEqual(long);
    expect(withScheme("a.".repeat(500_000))).toBe("a.".repeat(500_000));
  });
});

describe("isAllowedAddress", () => {
  test("allows addresses on the web, of mail and of phones", () => {
    const web = ["HTTP://EXAMPLE.com:8080/a?b#c", "https://medium.com/@ada?to=a@b", "https://example.com/a b"];
    const hosts = ["https://münchen.de/ü", "https://localhost:3000", "https://[::1]/"];
    const mail = ["mailto:ada@example.com?subject=Hi", "mailto:jörg@münchen.de"];
    const allowed = [...web, ...hosts, ...mail, "tel:+44 (0)20 7946", "tel:112", "sms:+15550100?body=Hi"];
    expect(allowed.filter((address) => !isAllowedAddress(address))).toEqual([]);
  });

  test.each([
    ["no address", ["", " ", "example.com", "/u/ada", "//example.com"]],
    ["a scheme without a host", ["https://", "https:///x", "https://?x", "http:", "mailto:", "tel:", "sms:x"]],
    ["another scheme", ["JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///x", "ftp://a.example"]],
    ["a disguise", ["java\nscript:x", " javascript:x", "\u0001javascript:x", "ｊavascript:x", "javascript&colon;x"]],
    ["a page's own scheme", ["blob:https://a.example/1", "view-source:https://a.example", "feed:javascript:x"]],
    ["a control character", ["https://a.example/\n", "https://a.ex\tample", "https://a.example/\u0085"]],
    ["an invisible character", ["https://a.example/\u202egpj.exe", "https://a\u200b.b", "https://a.example/\ud800"]],
    ["a name and password", ["https://ada:pw@a.example", "https://bank.example@evil.example", "https://:@a.example"]],
    ["backslashes", ["https:\\\\a.example", "https:/\\a.example", "https://a.example\\@evil.example"]],
    ["missing slashes", ["http:a.example", "https:/a.example"]],
    ["an impossible port", ["https://a.example:99999", "https://a.example:x"]],
    ["an impossible host", ["https://a b.example", "https://[::1", "https://%00.example"]],
    ["half a mail address", ["mailto:?subject=x", "mailto:ada", "mailto:@example.com", "mailto:a b@example.com"]],
    ["a code that a phone would run", ["tel:*21*555%23", "tel:#31#", "sms:%0d%0a"]],
    ["more than 2048 characters", [`https://a.example/${"a".repeat(2048)}`]],
  ])("refuses %s", (_, addresses) => expect(addresses.filter(isAllowedAddress)).toEqual([]));

  test("allows only addresses that start with a known scheme and have a host where one belongs", () => {
    const delimiters = ["//", "\\", "@", " ", "\n", "\0", "%", "/", "?", "#", ":"];
    const part = fc.oneof(
      fc.constantFrom("https:", "http:", "mailto:", "javascript:", "data:", "a.example", ...delimiters),
      fc.string({ unit: "binary", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const address = parts.join("");
        if (!isAllowedAddress(address)) return;
        const { protocol, username, password, hostname } = new URL(address);
        expect(address.toLowerCase().startsWith(protocol)).toBe(true);
        expect(["http:", "https:", "mailto:", "tel:", "sms:"]).toContain(protocol);
        expect([username, password, hostname === "" && protocol.startsWith("http")]).toEqual(["", "", false]);
        expect(address).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 1000 },
    );
  });
});

test("hostLabel returns what visitors should read", () => {
  expect(hostLabel("https://www.LinkedIn.com/in/ada")).toBe("linkedin.com");
  expect(hostLabel("https://www.com")).toBe("www.com");
  expect(hostLabel("mailto:j%C3%B6rg@example.com?subject=x")).toBe("jörg@example.com");
  expect(hostLabel("mailto:50%@example.com")).toBe("50%@example.com");
  expect(hostLabel("tel:+44 20 7946")).toBe("+44 20 7946");
  expect(hostLabel("not an address")).toBe("");
  // Lookalike letters keep their ASCII form.
  expect(hostLabel("https://аррӏе.com/")).toBe("xn--80ak6aa92e.com");
  expect(hostLabel("mailto:%E2%80%AEmoc.elgoog@example.com%0A")).toBe("moc.elgoog@example.com");
});

test("shortenHost keeps the end of a long host, which tells its owner", () => {
  expect(shortenHost("meetings-eu1.hubspot.com")).toBe("meetings-eu1.hubspot.com");
  expect(shortenHost(`paypal.com.${"sub.".repeat(10)}attacker.example`)).toBe("…sub.sub.attacker.example");
});

test("addressKind tells mail, phone and page apart", () => {
  const kinds = ["mailto:ada@github.com", "TEL:+4420", "sms:+4420", "github.com", "no address"].map(addressKind);
  expect(kinds).toEqual(["mail", "phone", "phone", "page", "page"]);
});
