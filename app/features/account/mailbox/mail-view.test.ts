import fc from "fast-check";
import { expect, test } from "vitest";

import { splitLinks } from "./mail-view.tsx";

test("finds the URLs in a text", () => {
  expect(splitLinks("Open it:\nhttp://localhost:3000/auth/confirm?token=a.b-c_d\n\nMeishi\n")).toEqual([
    { text: "Open it:\n", isLink: false },
    { text: "http://localhost:3000/auth/confirm?token=a.b-c_d", isLink: true },
    { text: "\n\nMeishi\n", isLink: false },
  ]);
});

test("links only http and https, and keeps the whole text", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("http://", "https://", "javascript:", "x", " ", "\n", "<", '"')), (pieces) => {
      const parts = splitLinks(pieces.join(""));
      expect(parts.map(({ text }) => text).join("")).toBe(pieces.join(""));
      for (const { text } of parts.filter(({ isLink }) => isLink)) expect(text).toMatch(/^https?:\/\//);
    }),
  );
});
