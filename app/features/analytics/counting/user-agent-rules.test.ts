import { expect, test } from "vitest";

import { readUserAgent } from "./user-agent-rules.ts";

test("reads only the start of a long header, because the rest would take long", () => {
  const start = "Mozilla/5.0 (X11; Linux x86_64) ".padEnd(512, "x");
  expect(readUserAgent(`${start} Googlebot Android Mobile`)).toEqual({ isBot: false, device: "desktop" });
});
