import { expect, test } from "vitest";
import { z } from "zod";

import { cardIdOf } from "./card-id.server.ts";

const form = "3f0e7b9a-0000-4000-8000-000000000000";

test("one form of one owner makes one card, with a proper UUID", () => {
  expect(cardIdOf("ada", form)).toBe(cardIdOf("ada", form));
  expect(z.uuid().safeParse(cardIdOf("ada", form)).success).toBe(true);
});

test("nobody else gets that id, whatever form they send", () => {
  const id = cardIdOf("ada", form);
  expect(cardIdOf("eve", form)).not.toBe(id);
  expect(cardIdOf("eve", id)).not.toBe(id);
  expect(cardIdOf("ada", id)).not.toBe(id);
});
