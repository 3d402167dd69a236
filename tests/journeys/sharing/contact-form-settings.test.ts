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
  test("preview it in the theme that visitors see", async () => {
    const { ada, card, visitor } = await open();
    for (const page of [await ada.get(`/cards/${card}/leads`), await visitor().get(`/card/${card}/connect`)])
      expect(await page.text()).toMatch(/class="page[^"]*" data-theme="ink"/);
  });

  test("come back as they were saved", async () => {
    const { ada, card } = await open();
    const other = await (await ada.get(`/cards/${card}/leads`)).text();
    expect(other).toContain("How did we meet?");
    expect(other).toContain("https://cal.com/ada");
  });

  test("lead to all ways to the form once it is on", async () => {
    const { ada, card, path } = await open();
    const page = await (await ada.get(`/cards/${card}/leads`)).text();
    for (const href of [`${path}/connect`, `/share/card/${card}`, `/cards/${card}/kiosk`])
      expect(page).toContain(`href="${href}"`);
  });

  test.each([
    ["no way to answer", { "field-email": "hidden", "field-phone": "hidden", has_newsletter: "" }, "Ask for an email"],
    ["a choice with one answer", { "question-0-options": "Yes" }, "Enter 2 to 10 answers"],
    ["a script as the booking link", { booking_url: "javascript:alert(1)" }, "Enter a web address"],
    ["an unknown retention", { months: "999" }, "Choose how long"],
  ])("with %s are refused, and nothing typed is lost", async (_, change, message) => {
    const { ada, card } = await open();
    const form = { ...settings, version: "1", answer_text: "Own <words>", ...change };
    const response = await ada.post(`/cards/${card}/leads`, form);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(message);
    expect(html).toContain("Own &lt;words&gt;");
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
