import { describe, expect, test } from "vitest";

import { readMergeRequest, readVersion } from "./versioned-values.ts";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

test.each([
  [{ version: "3" }, 3],
  [{ version: "1e9" }, 0],
  [{}, 0],
])("the version that a form was opened with is read from %j", (fields, version) => {
  expect(readVersion(formOf(fields))).toBe(version);
});

describe("the answers to a conflict", () => {
  const request = formOf({ version: "1", replaces: "4", "keep.bio": "mine", "keep.name": "other", "keep.links": "x" });

  test("decide about the version that was shown", () => {
    const choose = readMergeRequest(request).choicesFor(4);
    expect(["bio", "name", "links", "unknown"].map(choose)).toEqual(["mine", "other", undefined, undefined]);
  });

  test("decide nothing about a version that was saved later", () => {
    expect(readMergeRequest(request).choicesFor(5)("bio")).toBeUndefined();
  });
});

test("a rejected form gets its base back as it was sent", () => {
  for (const base of ["{", '{"bio":"x"}', ""]) expect(readMergeRequest(formOf({ base })).base).toBe(base);
  expect(readMergeRequest(formOf({ base: "x".repeat(200_000) }))).toMatchObject({ base: "", parsedBase: undefined });
});
