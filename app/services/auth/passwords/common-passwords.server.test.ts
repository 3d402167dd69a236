import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";

import { isEasyToGuess } from "./password-strength.server.ts";

test("the 3,000 most common passwords that are long enough are refused (ASVS 5.0 §6.2.4)", async () => {
  const common = dictionary["passwords-common"].filter((password) => password.length >= 6).slice(0, 3_000);
  expect(common).toHaveLength(3_000);
  const accepted: string[] = [];
  for (const password of common) if (!(await isEasyToGuess({ password, ownWords: [] }))) accepted.push(password);
  expect(accepted).toEqual([]);
});
