import { expect, test } from "vitest";

import { errorMessage } from "./messages.ts";

test("an unknown URL has the title of the specification", () => {
  expect(errorMessage(404, "r-1").title).toBe("Oops! Page not found");
});

test("only server errors mention the request id", () => {
  expect(errorMessage(500, "r-1").text).toContain("r-1");
  expect(errorMessage(500, undefined).text).toMatch(/contact us\.$/);
  for (const status of [400, 403, 404, 405, 413, 503]) expect(errorMessage(status, "r-1").text).not.toContain("r-1");
});
