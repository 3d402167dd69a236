import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { errorCode, readListing } from "./s3-listing.ts";

const listing = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</ListBucketResult>`;
const entry = (key: string) =>
  `<Contents><Key>${key}</Key><LastModified>2026-11-21T10:11:12.000Z</LastModified><ETag>&quot;a&quot;</ETag><Size>1</Size></Contents>`;

describe("a list of files as S3 says it", () => {
  test("is read with its times, and says whether there is more", () => {
    const next = "<IsTruncated>true</IsTruncated><NextContinuationToken>1/a&amp;b+c==</NextContinuationToken>";
    expect(readListing(listing(`${next}${entry("avatars/u1/a.webp")}${entry("avatars/u1/b.webp")}`))).toEqual({
      files: [
        { path: "avatars/u1/a.webp", writtenAt: Date.UTC(2026, 10, 21, 10, 11, 12) },
        { path: "avatars/u1/b.webp", writtenAt: Date.UTC(2026, 10, 21, 10, 11, 12) },
      ],
      next: "1/a&b+c==",
    });
    expect(readListing(listing("<IsTruncated>false</IsTruncated>"))).toEqual({ files: [], next: undefined });
    expect(readListing(listing("<KeyCount>0</KeyCount>"))).toEqual({ files: [], next: undefined });
  });

  test("names files as they are called, whatever had to be written otherwise in XML", () => {
    const escape = (text: string) =>
      text.replace(
        /[&<>"']/g,
        (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&#62;", '"': "&quot;", "'": "&#x27;" })[sign] ?? "",
      );
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
        expect(readListing(listing(entry(escape(key)))).files[0]?.path).toBe(key);
      }),
    );
    expect(readListing(listing(entry("a&amp;lt;b&unknown;"))).files[0]?.path).toBe("a&lt;b&unknown;");
  });

  test.each([
    ["an error in its place", "<Error><Code>AccessDenied</Code></Error>"],
    ["a page of a proxy", "<html><body>Please sign in</body></html>"],
    ["nothing", ""],
    ["a part that goes on nowhere", listing("<IsTruncated>true</IsTruncated>")],
    ["a file without a time", listing("<Contents><Key>a</Key></Contents>")],
  ])("is not made up from %s", (_, xml) => {
    expect(() => readListing(xml)).toThrow(/S3/);
  });

  test("an error is known by its code alone", () => {
    expect(errorCode("<Error><Code>NoSuchKey</Code><Message>AKIA123</Message></Error>")).toBe("NoSuchKey");
    expect(errorCode("<Error><Code>a b</Code></Error>")).toBe("");
    expect(errorCode("")).toBe("");
  });
});
