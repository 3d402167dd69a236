import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { logIn } from "#tests/support/app/visitor.ts";

test("sign-ins, refused sign-ins and rate limits are logged with the account's id and without its address", async () => {
  const { signedIn, visitor, logLines } = await createTestApp();
  const ada = await signedIn();
  const events = () => logLines.filter((line) => "security" in line);
  const account = await userIdOf(ada);
  const guess = (email = ada.email) => logIn(visitor(), { email, password: "wrong password" });
  expect((await logIn(visitor(), ada)).status).toBe(302);
  expect(events()).toMatchObject([{ security: "signed-in", account, id: expect.any(String) }]);
  expect((await guess()).status).toBe(400);
  expect(events().at(-1)).toMatchObject({ security: "sign-in-refused", account });
  await guess("bob@example.com");
  expect(events().at(-1)).toMatchObject({ security: "sign-in-refused" });
  expect(events().at(-1)).not.toHaveProperty("account");
  for (let attempt = 0; attempt < 10; attempt++) await guess();
  expect(events().at(-1)).toMatchObject({ security: "limit-reached", account, limit: "sign-ins of an account" });
  await ada.post("/account/delete", { intent: "delete", confirm: "DELETE" });
  expect(events().at(-1)).toMatchObject({ security: "account-deleted", account });

  expect(JSON.stringify(logLines)).not.toMatch(/@example\.com|127\.0\.0\.1/);
});
