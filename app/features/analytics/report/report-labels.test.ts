import { expect, test } from "vitest";

import { labelOf } from "./report-labels.ts";

const link = (id: string, label: string) => ({ id, label, url: `https://${id}.example` });
const owner = {
  links: [link("shop", "Shop"), link("mine", "LinkedIn")],
  cards: [
    { id: "1", name: "Work", links: [link("work", "LinkedIn"), link("blog", "")] },
    { id: "2", name: "", links: [link("club", "LinkedIn")] },
  ],
};

test.each([
  ["shop", "Shop"],
  ["blog", "https://blog.example"],
  ["mine", "LinkedIn (Profile)"],
  ["work", "LinkedIn (Work)"],
  ["club", "LinkedIn (Card)"],
  ["gone", "Removed link"],
])("a link is named by its label, with its page where another page has the same: %s", (id, label) => {
  expect(labelOf("link", id, owner)).toBe(label);
});
