import { expect, test } from "vitest";

import { defaultTab } from "#app/features/links/tab-rules.ts";

import { nameLink } from "./schema.ts";

test("names a link after its site or page, else the host", () => {
  const labels = {
    "https://www.ada.example/me": "ada.example",
    "https://ada.example/portfolio": "Portfolio",
    "https://ada.example/en/Blog.html?x=/shop": "Blog",
    "https://ada.example/cv/": "Resume",
    "https://github.com/portfolio": "GitHub",
    "mailto:blog@example.com": "blog@example.com",
  };
  expect(Object.fromEntries(Object.keys(labels).map((url) => [url, nameLink(url)]))).toEqual(labels);
});

test("so a portfolio counts as professional", () => {
  const url = "https://ada.example/portfolio";
  expect(defaultTab({ url, label: nameLink(url) })).toBe("professional");
});
