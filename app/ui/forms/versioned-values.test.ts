import { describe, expect, test } from "vitest";

import { listDifferences, readVersion, resolveVersions } from "./versioned-values.ts";

const stored = { values: "mine", version: 1 };
const conflict = { values: "other", version: 4 };

describe("the version that a save replaces", () => {
  test.each([
    [{ version: "3" }, 3],
    [{ version: "3", replaces: "5" }, 5],
    [{ version: "3", replaces: "" }, 3],
    [{ version: "1e9" }, 0],
    [{}, 0],
  ])("is read from the form: %j", (fields, version) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    expect(readVersion(form)).toBe(version);
  });

  test("stays the one the form was opened with until the owner chooses", () => {
    const rejection = { sent: { values: "typed", version: 1 }, conflict };
    expect(resolveVersions({ stored, rejection, accepted: undefined })).toEqual({
      saved: "mine",
      version: 1,
      conflict,
    });
  });

  test("is the other one, together with its values, after the owner accepts it", () => {
    const rejection = { sent: { values: "typed", version: 1 }, conflict };
    expect(resolveVersions({ stored, rejection, accepted: conflict })).toEqual({
      saved: "other",
      version: 4,
      conflict: undefined,
    });
  });

  test("is the replaced one when keeping mine fails for another reason", () => {
    const rejection = { sent: { values: "typed", version: 4 } };
    expect(resolveVersions({ stored, rejection, accepted: undefined })).toMatchObject({ saved: "mine", version: 4 });
  });

  test("is the older one when the page was loaded again to show the conflict, without script", () => {
    const rejection = { sent: { values: "typed", version: 1 }, conflict };
    const state = resolveVersions({ stored: conflict, rejection, accepted: undefined });
    expect(state).toMatchObject({ saved: "other", version: 1, conflict });
  });
});

test("differences leave out fields that are the same", () => {
  const fields = [
    ["Name", (values: { name: string; bio: string }) => values.name],
    ["Bio", (values: { name: string; bio: string }) => values.bio],
  ] as const;
  const mine = { name: "Ada", bio: "" };
  expect(listDifferences(fields, { mine, other: { name: "Ada", bio: "x" } })).toEqual([
    { field: "Bio", mine: "", other: "x" },
  ]);
});
