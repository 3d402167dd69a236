import * as fc from "fast-check";
import { expect, test } from "vitest";

import { markedUrl, sourceOf } from "./source-marks.ts";

const sources = ["link", "qr", "nfc", "wallet", "signature", "background"] as const;

test("a mark is one letter at the end of the address", () => {
  expect(sources.map((source) => markedUrl("https://meishi.example/u/ada", source).slice(-2))).toEqual([
    "?l",
    "?q",
    "?n",
    "?w",
    "?s",
    "?b",
  ]);
  expect(markedUrl("https://meishi.example/u/ada?tab=personal#links", "nfc")).toBe(
    "https://meishi.example/u/ada?tab=personal&n#links",
  );
});

test("a scan is told from a click, also when another program rewrote the address or added to it", () => {
  const searches = [
    "?q",
    "?q=",
    "q",
    "?q&utm_source=mail",
    "?utm_source=mail&q",
    "?fbclid=IwAR0&q=&x=1",
    "?&q",
    "?x&q&n",
  ];
  expect(searches.filter((search) => sourceOf(search) !== "qr")).toEqual([]);
});

test("a visit without a mark of ours has no source", () => {
  const searches = ["", "?", "?&", "?=", "?z", "?Q", "?q=word", "?qr", "?page=q", "?ln", "?q%20", "?é"];
  expect(searches.filter((search) => sourceOf(search) !== "")).toEqual([]);
});

test("every mark is read back from any address, and no query string breaks the reading", () => {
  const url = fc.webUrl({ withQueryParameters: false, withFragments: true });
  fc.assert(
    fc.property(url, fc.constantFrom(...sources), (address, source) => {
      expect(sourceOf(new URL(markedUrl(address, source)).search)).toBe(source);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (search) => ["", ...sources].includes(sourceOf(search))));
});
