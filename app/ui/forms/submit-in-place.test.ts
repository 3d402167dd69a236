import { expect, test } from "vitest";

import { callServerAction, parseJsonObject } from "./submit-in-place.ts";

test("a response that holds a JSON object is read, and no other", () => {
  expect(parseJsonObject('{"message":"Saved"}')).toEqual({ message: "Saved" });
  for (const text of ["", "null", '"text"', "5", "{", "<html>502 Bad Gateway</html>"])
    expect(parseJsonObject(text), text).toBeUndefined();
});

const fail = (error: unknown) => () => Promise.reject(error);
const redirectTo = (location: string) => new Response(null, { status: 302, headers: { location } });
const errorResponse = (status: number) => ({ status, statusText: "", internal: false, data: null });

test("callServerAction returns the action's result", async () => {
  expect(await callServerAction(() => Promise.resolve("saved"))).toEqual({ result: "saved" });
});

test("callServerAction throws the redirect of a successful save", async () => {
  const redirect = redirectTo("/u/ada");
  await expect(callServerAction(fail(redirect))).rejects.toBe(redirect);
});

test.each([
  ["signed-out", redirectTo("/auth?returnTo=%2Fprofile")],
  ["offline", new TypeError("Failed to fetch")],
  ["too-large", errorResponse(413)],
  ["failed", errorResponse(500)],
  ["failed", new SyntaxError("Unexpected token")],
])("callServerAction returns the failure %s", async (failure, error) => {
  expect(await callServerAction(fail(error))).toEqual({ failure });
});
