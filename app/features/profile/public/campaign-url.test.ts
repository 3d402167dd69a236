import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { isAllowedAddress } from "#app/features/links/rules.ts";

import { keptParameters, withCampaign } from "./campaign-url.ts";

const fair = { utmSource: "card", utmMedium: "qr", utmCampaign: "fair 2026" };
const query = "utm_source=card&utm_medium=qr&utm_campaign=fair+2026";

describe("the address of a link with a campaign", () => {
  test.for([
    ["https://a.example", `https://a.example?${query}`],
    ["https://a.example/b/", `https://a.example/b/?${query}`],
    ["https://a.example/b?c=1&d=%20x", `https://a.example/b?c=1&d=%20x&${query}`],
    ["https://a.example/b??", `https://a.example/b??&${query}`],
    ["https://a.example/b?c&", `https://a.example/b?c&${query}`],
    ["https://a.example/b#part", `https://a.example/b?${query}#part`],
    ["https://a.example/b?c=1#/route?x=1#y", `https://a.example/b?c=1&${query}#/route?x=1#y`],
    ["http://A.example:8080/ü", `http://A.example:8080/ü?${query}`],
  ])("keeps path, query and fragment of %s", ([address = "", expected]) => {
    expect(withCampaign(address, fair)).toBe(expected);
  });

  test("has only the parameters that were filled in", () => {
    expect(withCampaign("https://a.example", { utmCampaign: "fair" })).toBe("https://a.example?utm_campaign=fair");
    expect(withCampaign("https://a.example", { utmSource: "", utmMedium: " " })).toBe("https://a.example");
  });

  test("keeps the parameters that the owner typed into the address, empty and in capitals too", () => {
    const address = "https://a.example/?utm_source=mine&UTM_Medium=&x=utm_campaign";
    expect(withCampaign(address, fair)).toBe(`${address}&utm_campaign=fair+2026`);
    expect(keptParameters(address, fair)).toEqual(["utm_source", "utm_medium"]);
    expect(keptParameters("https://a.example/#?utm_source=x", fair)).toEqual([]);
  });

  test("leaves other addresses than of the web as they are", () => {
    const others = ["mailto:ada@example.com", "tel:+4912345", "sms:+4912345", "", "a.example"];
    expect(others.map((address) => withCampaign(address, fair))).toEqual(others);
  });

  test("encodes any text so that it is read back, and changes nothing else", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.string({ unit: "binary" }),
        (url, text) => {
          const value = text.trim();
          fc.pre(value !== "" && isAllowedAddress(url) && !url.includes("utm_"));
          const [before, after] = [new URL(url), new URL(withCampaign(url, { utmSource: text }))];
          expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, before.hash]);
          expect([...after.searchParams]).toEqual([...before.searchParams, ["utm_source", value]]);
        },
      ),
    );
  });
});
