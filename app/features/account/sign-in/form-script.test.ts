import { expect, test } from "vitest";

import { formScript } from "./form-script.ts";

// What it does is tested in a browser, with its size: tests/browser/site.
test("the script of the account pages can't end its script element", () => {
  expect(formScript).not.toMatch(/<\/script|<!--/i);
});
