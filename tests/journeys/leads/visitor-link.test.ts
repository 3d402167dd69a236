import { describe, expect, test } from "vitest";

import { day } from "#tests/journeys/leads/lead-owner.ts";

import { shareContact } from "./shared-contacts.ts";
import { textWith } from "#tests/support/app/responses.ts";

describe("the link in the visitor's mail", () => {
  test("shows what is stored to anyone who has it, without the owner's notes, and changes nothing when it is opened", async () => {
    const { visitor, link, leads, time, services } = await shareContact();
    const notes = { owner_note: "Talks a lot", follow_up: "2026-12-24", status: "lost" };
    await services.db.updateTable("lead").set(notes).execute();
    const before = await leads();
    time.now += 300 * day;
    const page = await (await visitor().get(link)).text();
    for (const text of ["Grace Hopper", "grace@example.com", "At the fair", "My details go only to ada"])
      expect(page).toContain(text);
    const answer = await textWith(200, await visitor().get(`${link}.data`));
    expect(answer).toContain("Grace Hopper");
    expect(answer).not.toMatch(/Talks a lot|2026-12-24|lost|ownerNote|ownerId|cardId|isRead|spam|hash/);
    expect(await leads()).toEqual(before);
    for (const changed of [link.slice(0, -1), link.replace("/shared/", "/shared/x"), "/shared/x"])
      expect((await visitor().get(changed)).status).toBe(404);
  });

  test("withdraws with one press, removes the details and tells the owner once", async () => {
    const { visitor, link, leads, ownerMails } = await shareContact();
    await visitor().post(link, { intent: "newsletter" });
    expect(await (await visitor().get(link)).text()).toContain("You stopped the news emails on");
    for (let n = 0; n < 2; n++) expect((await visitor().post(link, { intent: "withdraw" })).status).toBe(303);
    const subjects = (await ownerMails()).map(({ subject }) => subject);
    expect(subjects).toContain("A lead unsubscribed from your news");
    expect(subjects.filter((subject) => subject === "A lead withdrew their consent")).toHaveLength(1);
    expect(await leads()).toMatchObject([{ name: "", email: "", note: "", answers: "[]" }]);
    const page = await (await visitor().get(link)).text();
    expect(page).toContain("You withdrew your consent on");
    expect(page).not.toContain("Grace");
  });

  test("erases with one press, for good, leaves a count, and mails the owner who it was", async () => {
    const { visitor, link, leads, ownerMails, services } = await shareContact();
    const erased = await visitor().post(link, { intent: "erase" });
    expect(erased.status).toBe(303);
    expect(await leads()).toEqual([]);
    const done = await visitor().get(erased.headers.get("location") ?? "");
    const page = await done.text();
    for (const text of ["Your details are erased", "ada will be asked to delete any copies."])
      expect(page).toContain(text);
    expect(await services.db.selectFrom("lead_consent").selectAll().execute()).toEqual([]);
    expect(await services.db.selectFrom("lead_form").select("received").execute()).toEqual([{ received: 1 }]);
    const mail = (await ownerMails()).find(({ subject }) => subject === "A lead erased their details");
    expect(mail?.text).toContain("(grace@example.com) erased the details");
    expect(await (await visitor().get(link)).text()).toContain("Nothing is stored");
  });
});
