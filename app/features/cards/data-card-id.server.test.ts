import { expect, test } from "vitest";
import { z } from "zod";

import { deriveCardId } from "./code-data.server.ts";

const form = "3f0e7b9a-0000-4000-8000-000000000000";

test("derives one valid UUID from an owner's form", () => {
  expect(deriveCardId("ada", form)).toBe(deriveCardId("ada", form));
  expect(z.uuid().safeParse(deriveCardId("ada", form)).success).toBe(true);
});

test("gives another owner a different id, whatever form they send", () => {
  const id = deriveCardId("ada", form);
  expect(deriveCardId("eve", form)).not.toBe(id);
  expect(deriveCardId("eve", id)).not.toBe(id);
  expect(deriveCardId("ada", id)).not.toBe(id);
});
