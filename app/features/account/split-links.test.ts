import fc from "fast-check";
import { expect, test } from "vitest";

import { splitLinks } from "./split-links.ts";

test("addresses in a text are found, and the rest stays as it is", () => {
  expect(splitLinks("Open it:\nhttp://localhost:3000/auth/confirm?token=a.b-c_d\n\nMeishi\n")).toEqual([
    { text: "Open it:\n", isLink: false },
    { text: "http://localhost:3000/auth/confirm?token=a.b-c_d", isLink: true },
    { text: "\n\nMeishi\n", isLink: false },
  ]);
});

test("nothing but http and https is a link, and nothing is lost", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("http://", "https://", "javascript:", "x", " ", "\n", "<", '"')), (signs) => {
      const parts = splitLinks(signs.join(""));
      expect(parts.map(({ text }) => text).join("")).toBe(signs.join(""));
      for (const { text } of parts.filter(({ isLink }) => isLink)) expect(text).toMatch(/^https?:\/\//);
    }),
  );
});
