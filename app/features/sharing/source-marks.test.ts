import * as fc from "fast-check";
import { expect, test } from "vitest";

import { markedUrl, sourceOf } from "./source-marks.ts";

const sources = ["link", "qr", "nfc", "wallet", "signature", "background", "print"] as const;

test("appends a mark of one letter to the URL", () => {
  const url = "https://meishi.example/u/ada";
  const marks = sources.map((source) => markedUrl(url, source).slice(-2));
  expect(marks).toEqual(["?l", "?q", "?n", "?w", "?s", "?b", "?p"]);
  expect(markedUrl(`${url}?tab=personal#links`, "nfc")).toBe(`${url}?tab=personal&n#links`);
});

test("reads the mark even if another program rewrote the URL or added parameters", () => {
  const searches = "?q ?q= q ?q&utm_source=mail ?utm_source=mail&q ?fbclid=IwAR0&q=&x=1 ?&q ?x&q&n";
  expect(searches.split(" ").filter((search) => sourceOf(search) !== "qr")).toEqual([]);
});

test("finds no source in a URL without a mark", () => {
  const searches = ["", "?", "?&", "?=", "?z", "?Q", "?q=word", "?qr", "?page=q", "?ln", "?q%20", "?é"];
  expect(searches.filter((search) => sourceOf(search) !== "")).toEqual([]);
});

test("reads every mark back from any URL, and accepts any query string", () => {
  const url = fc.webUrl({ withQueryParameters: false, withFragments: true });
  fc.assert(
    fc.property(url, fc.constantFrom(...sources), (address, source) => {
      expect(sourceOf(new URL(markedUrl(address, source)).search)).toBe(source);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (search) => ["", ...sources].includes(sourceOf(search))));
});
