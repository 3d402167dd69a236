import { expect, test } from "vitest";

import { readProfileForm } from "./form-data.ts";

const form = (fields: Record<string, string | File>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};
const whole = { version: "3", displayName: "Ada", bio: "", handle: "", theme: "ocean" };

test("reading the form orders links by their numbers, closes gaps and ignores other fields", () => {
  const links = { "links.7.label": "Later", "links.2.label": "Earlier", "links.2.on": "on" };
  const unknown = { "links.2.owner_id": "mallory", "links.x.label": "no", owner_id: "mallory" };
  const { sent, isComplete } = readProfileForm(form({ ...whole, ...links, ...unknown }));
  expect({ version: sent.version, isComplete }).toEqual({ version: 3, isComplete: true });
  expect(sent.values.links.map(({ label, on }) => [label, on])).toEqual([
    ["Earlier", true],
    ["Later", false],
  ]);
  expect(sent.values).toMatchObject({ displayName: "Ada", theme: "ocean", showBusinessCard: false });
  expect(JSON.stringify(sent)).not.toContain("mallory");
});

test("reading the form finds a missing field, a file in place of text and a missing version as incomplete", () => {
  const { bio: _, ...withoutBio } = whole;
  expect(readProfileForm(form(withoutBio)).isComplete).toBe(false);
  expect(readProfileForm(form({ ...whole, bio: new File(["x"], "bio.txt") })).isComplete).toBe(false);
  for (const version of ["", "-1", "0", "1.5", "NaN", "99999999999"]) {
    expect(readProfileForm(form({ ...whole, version })).isComplete).toBe(false);
  }
});
