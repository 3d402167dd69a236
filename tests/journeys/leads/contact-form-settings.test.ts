import { describe, expect, test } from "vitest";

import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { readElements, textWith } from "#tests/support/app/responses.ts";

import { leadFormSettings as settings, openLeadForm as open } from "./shared-contacts.ts";

test("a card has no form until its owner switches it on", async () => {
  const { ada, ownerId, visitor, read } = await openOwner();
  const card = await makeCard(ada);
  for (const page of [`/card/${card}`, `/u/${ownerId}`]) expect(await read(page, visitor())).not.toContain("/connect");
  expect((await visitor().get(`/card/${card}/connect`)).status).toBe(302);
  const inputs = readElements(await read(`/cards/${card}/leads`)).map(({ attributes }) => attributes);
  const isOn = inputs.filter(({ name }) => name === "is_on");
  expect(isOn.map((attributes) => "checked" in attributes)).toEqual([false]);
});

test("an optional email address is required where the form has no other way to answer", async () => {
  const { formOf } = await open({ "field-email": "optional", "field-phone": "hidden", "field-note": "hidden" });
  const { page } = await formOf();
  expect(/<label for="email">(.*?)<\/label>/.exec(page)?.[1]).toBe("Email");
  expect(/<input[^>]*id="email"[^>]*>/.exec(page)?.[0]).toContain("required");
});

describe("the settings of the form", () => {
  test("come back as saved, preview it in the theme that visitors see, and lead to all ways to it", async () => {
    const { ada, card, path, read } = await open();
    const page = await (await ada.get(`/cards/${card}/leads`)).text();
    for (const text of ["How did we meet?", "https://cal.com/ada"]) expect(page).toContain(text);
    for (const shown of [page, await read(`/card/${card}/connect`)])
      expect(shown).toMatch(/class="page[^"]*" data-theme="default"/);
    const editor = await (await ada.get(`/cards/edit/${card}`)).text();
    for (const shown of [editor, await read(path)]) expect(shown).toContain("Share your details");
    for (const href of [`${path}/connect`, `/share/card/${card}/qr?opens=connect`, `/cards/${card}/kiosk`])
      expect(page).toContain(`href="${href}"`);
  });

  test("have “Add question” in place of each empty question, which opens without script", async () => {
    const { card, ada } = await open();
    const page = await (await ada.get(`/cards/${card}/leads`)).text();
    expect(page.split(">Add question</summary>").length - 1).toBe(2);
    expect(/<details[^>]*>(?:(?!<\/details>).)*name="question-0-label"/s.test(page)).toBe(false);
    expect(page).toMatch(/<details[^>]*>(?:(?!<\/details>).)*name="question-1-label"/s);
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
      const refused = await saveForm({ version: "1", answer_text: "Own <words>", ...change });
      const html = await textWith(400, refused, message);
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
