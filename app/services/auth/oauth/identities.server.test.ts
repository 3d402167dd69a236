import { expect, test } from "vitest";

import { withTimeLimit } from "./identities.server.ts";

test("a provider that never answers is given up", async () => {
  await expect(withTimeLimit(new Promise(() => undefined), 20)).rejects.toThrow("The provider took too long.");
  expect(await withTimeLimit(Promise.resolve("tokens"), 20)).toBe("tokens");
});
