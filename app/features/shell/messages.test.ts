import { expect, test } from "vitest";

import { errorMessage } from "./messages.ts";

test("an unknown address is called what the specification calls it", () => {
  expect(errorMessage(404, "r-1").title).toBe("Oops! Page not found");
});

test("only where the fault is ours is the request's number given, to look it up in the log", () => {
  expect(errorMessage(500, "r-1").text).toContain("r-1");
  expect(errorMessage(500, undefined).text).toMatch(/site\.$/);
  for (const status of [400, 403, 404, 405, 413, 503]) expect(errorMessage(status, "r-1").text).not.toContain("r-1");
});
