import { expect, test } from "vitest";

import { readMergeRequest, readVersion, readVersionedForm } from "./versioned-values.ts";

function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

test("reads the version that a form was opened with", () => {
  expect([{ version: "3" }, { version: "1e9" }, {}].map((fields) => readVersion(formOf(fields)))).toEqual([3, 0, 0]);
});

test("the answers to a conflict decide about the version that was shown, and none that was saved later", () => {
  const answers = { "keep.bio": "mine", "keep.name": "other", "keep.links": "x" };
  const { choicesFor } = readMergeRequest(formOf({ version: "1", replaces: "4", ...answers }));
  expect(["bio", "name", "links", "unknown"].map(choicesFor(4))).toEqual(["mine", "other", undefined, undefined]);
  expect(choicesFor(5)("bio")).toBeUndefined();
});

test("a rejected form gets its base back as it was sent", () => {
  const baseOf = (form: FormData) => readVersionedForm(form, {}).reject({}).base;
  for (const base of ["{", '{"bio":"x"}', ""]) expect(baseOf(formOf({ base }))).toBe(base);
  const long = formOf({ base: "x".repeat(200_000) });
  expect([baseOf(long), readMergeRequest(long).parsedBase]).toEqual(["", undefined]);
});
