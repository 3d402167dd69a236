import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { leadFormSettings as settings, openLeadForm as open } from "./leads/shared-contacts.ts";

test("a card has no form until its owner switches it on", async () => {
  const { signedIn, visitor } = await createTestApp();
  const ada = await signedIn();
  const card = await makeCard(ada);
  for (const page of [`/card/${card}`, `/u/${await userIdOf(ada)}`])
    expect(await (await visitor().get(page)).text()).not.toContain("/connect");
  expect((await visitor().get(`/card/${card}/connect`)).status).toBe(302);
  const page = await (await ada.get(`/cards/${card}/leads`)).text();
  expect(/<input[^>]*name="is_on"[^>]*>/.exec(page)?.[0]).not.toContain('checked=""');
});

test("an optional email address is required where the form has no other way to answer", async () => {
  const { formOf } = await open({ "field-email": "optional", "field-phone": "hidden", "field-note": "hidden" });
  const { page } = await formOf();
  expect(/<label for="email">(.*?)<\/label>/.exec(page)?.[1]).toBe("Email");
  expect(/<input[^>]*id="email"[^>]*>/.exec(page)?.[0]).toContain("required");
});

describe("the settings of the form", () => {
  test("come back as saved, preview it in the theme that visitors see, and lead to all ways to it", async () => {
    const { ada, card, path, visitor } = await open();
    const page = await (await ada.get(`/cards/${card}/leads`)).text();
    for (const text of ["How did we meet?", "https://cal.com/ada"]) expect(page).toContain(text);
    for (const shown of [page, await (await visitor().get(`/card/${card}/connect`)).text()])
      expect(shown).toMatch(/class="page[^"]*" data-theme="ink"/);
    for (const href of [`${path}/connect`, `/share/card/${card}`, `/cards/${card}/kiosk`])
      expect(page).toContain(`href="${href}"`);
  });

  test("that are invalid are refused, and nothing typed is lost", async () => {
    const { saveForm } = await open();
    const cases: [Record<string, string>, string][] = [
      [{ "field-email": "hidden", "field-phone": "hidden", has_newsletter: "" }, "Ask for an email"],
      [{ "question-0-options": "Yes" }, "Enter 2 to 10 answers"],
      [{ booking_url: "javascript:alert(1)" }, "Enter a web address"],
      [{ months: "999" }, "Choose how long"],
    ];
    for (const [change, message] of cases) {
      const response = await saveForm({ version: "1", answer_text: "Own <words>", ...change });
      expect(response.status, message).toBe(400);
      const html = await response.text();
      for (const text of [message, "Own &lt;words&gt;"]) expect(html).toContain(text);
    }
  });

  test("of another owner's card can't be read or changed", async () => {
    const { signedIn, card, services } = await open();
    const eve = await signedIn("eve@example.com");
    expect((await eve.get(`/cards/${card}/leads`)).headers.get("location")).toBe("/profile");
    const change = await eve.post(`/cards/${card}/leads`, { ...settings, version: "1" });
    expect(change.headers.get("location")).toBe("/profile");
    expect(await services.db.selectFrom("lead_form").select("version").execute()).toEqual([{ version: 1 }]);
  });
});
