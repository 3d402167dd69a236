import { expect, test } from "vitest";

import { readElements } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

test("every page of a signed-in user has a button to sign out", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const paths = ["/profile", "/cards/edit", "/account", "/account/sessions", "/account/security-log", "/pricing"];
  for (const path of [...paths, "/account/preferences", "/account/export", "/share/profile", "/account/verify"]) {
    const forms = readElements(await (await ada.get(path)).text()).filter(({ tag }) => tag === "form");
    expect(
      forms.map(({ attributes }) => attributes["action"]),
      path,
    ).toContain("/auth/sign-out");
  }
});
