import { expect, test } from "vitest";

import { browserName } from "./browser-name.ts";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1", "Safari on iOS"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/142.0.0.0 Safari/537.36", "Chrome on macOS"],
  ["Meishi-Tool/1.0", "Unknown browser"],
  ["Your account is locked. Open https://evil.example/unlock /1.0 ", "Unknown browser"],
  ["visit evil.example/1 (Windows NT 10.0)", "Unknown browser on Windows"],
  ["", "Unknown browser"],
  [undefined, "Unknown browser"],
  ["\u0000".repeat(16_000), "Unknown browser"],
])("names the browser of %s", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
