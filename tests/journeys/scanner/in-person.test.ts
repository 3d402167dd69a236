import { describe, expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { day, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { useUp } from "#tests/support/database/attempts.ts";

async function open() {
  const owner = await openOwner();
  const { ada, read, services } = owner;
  const card = await makeCard(ada);
  /** A new form, filled in and confirmed. */
  const fill = async (change: Record<string, string> = {}, by: Visitor = ada) => {
    const page = await read("/leads/new", by);
    const [formToken, agreed] = [fieldValue(page, "formToken"), fieldValue(page, "agreed")];
    return { formToken, agreed, card, name: "Grace Hopper", email: "grace@example.com", tags: "", ...change };
  };
  const send = async (form: Record<string, string>) => ada.post("/leads/new", form);
  const leads = () => services.db.selectFrom("lead").selectAll().execute();
  return { ...owner, card, fill, send, leads };
}

test("the form says what is confirmed, by whom and for how long, checks no box, and needs a card", async () => {
  const { read, signedIn } = await open();
  expect(await read("/leads")).toContain('href="/leads/new"');
  const page = await read("/leads/new");
  expect(page).toContain("This person gave me, ada, their card or contact details in person");
  expect(page).toContain("deleted after 24 months at the latest");
  expect(page).not.toContain('checked=""');
  expect(await read("/leads/scan")).toMatch(/<noscript>.*Reading a card needs JavaScript/s);
  const without = await read("/leads/new", await signedIn("eve@example.com"));
  expect(without).toContain("Create a business card first");
  expect(without).not.toContain('name="formToken"');
});

describe("a lead added by hand", () => {
  test("has a title and a website of its own, which the person sees, too", async () => {
    const { send, fill, leads, read, mailsTo, visitor } = await open();
    const html = await (await send(await fill({ title: "Rear Admiral", website: "not a site" }))).text();
    for (const text of ["Enter a web address, such as example.com.", 'value="not a site"'])
      expect(html).toContain(text);
    await send(await fill({ title: "Rear Admiral", website: "navy.example" }));
    const [lead] = await leads();
    expect(lead).toMatchObject({ title: "Rear Admiral", website: "https://navy.example", note: "" });
    const mail = (await mailsTo("grace@example.com"))[0]?.text ?? "";
    expect(mail).toContain("name, email, title and website");
    const shared = await read(/\/shared\/\S+/.exec(mail)?.[0] ?? "", visitor());
    for (const text of ["Rear Admiral", "https://navy.example"]) expect(shared).toContain(text);
  });

  test("is stored with proof of a consent given in person, tagged, and not new", async () => {
    const { send, fill, leads, services, read } = await open();
    const form = await fill({ name: "Grace\r\nHopper", tags: "Fair, Hot", phone: "+49 30 901820", note: "A demo" });
    const sent = await send(form);
    expect((await send(form)).status, "the same form again").toBe(302);
    const [lead, ...others] = await leads();
    expect(others).toEqual([]);
    expect(sent.headers.get("location")).toBe(`/leads/${lead?.id}`);
    expect(lead).toMatchObject({ name: "Grace Hopper", source: "hand", phone: "+49 30 901820", quarantined_at: null });
    expect((lead?.expires_at ?? 0) - (lead?.created_at ?? 0)).toBe(24 * 30 * day);
    expect(await services.db.selectFrom("lead_consent").selectAll().execute()).toMatchObject([
      { purpose: "in-person", source: "in person", text_version: 1, withdrawn_at: null },
    ]);
    const page = await read(`/leads/${lead?.id}`);
    for (const text of [
      "Added by hand",
      "Note from the card",
      "Fair",
      "Hot",
      "In person",
      "agreed to be contacted by me",
    ])
      expect(page).toContain(text);
    expect(await read("/leads")).not.toContain("Unread: ");
    await send(await fill());
    expect(await leads()).toHaveLength(2);
  });

  test("is told the person by mail, who can read and erase it; an old form doesn't store it again", async () => {
    const { ada, send, fill, leads, mailsTo, visitor, read } = await open();
    const form = await fill({ note: "Wants a demo" });
    await send(form);
    const [mail, ...others] = await mailsTo("grace@example.com");
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("ada: it was good to meet you");
    const text = mail?.text ?? "";
    expect(text).toContain("You gave your business card or your details to ada, Head of Research, Analytical Engines.");
    expect(text).toContain("ada confirmed that you agreed to be contacted");
    expect(text).not.toMatch(/Wants a demo|you shared your|You agreed/);
    // The owner's card comes first, the right to erase below it.
    const [card, contact, own] = ["Open ada’s card", "/contact.vcf", "/shared/"].map((part) => text.indexOf(part));
    expect([card, contact, own]).toEqual([card, contact, own].toSorted((a = 0, b = 0) => a - b));
    expect(card).toBeGreaterThan(0);
    const link = /\/shared\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const page = await read(link, visitor());
    expect(page).toContain("The owner confirmed on November 23, 2026");
    expect(page).toContain("This person gave me, ada, their card");
    await visitor().post(link, { intent: "erase" });
    expect((await mailsTo(ada.email)).map(({ subject }) => subject)).toContain("A lead erased their details");
    await send(form);
    expect(pendingToast(ada)).toMatchObject({ title: "Not saved" });
    expect(await leads()).toEqual([]);
  });

  test("that its person erased isn't stored again by a form of half a year ago", async () => {
    const { send, fill, leads, services, time, ownerId } = await open();
    const form = await fill();
    await send(form);
    await eraseLeads(services, { ownerId, ids: (await leads()).map(({ id }) => id) });
    time.now += 180 * day;
    await runMaintenance(services.features, services);
    const again = await send(form);
    expect([again.status, await leads()]).toEqual([400, []]);
    expect(fieldValue(await again.text(), "formToken")).not.toBe(form.formToken);
  });
});

describe("a form that is refused", () => {
  test("comes back with everything typed", async () => {
    const { send, fill, leads } = await open();
    const problems: [Record<string, string>, string][] = [
      [{ agreed: "" }, "Check this box if they agreed."],
      [{ agreed: "0".repeat(64) }, "This text has changed."],
      [{ name: " ", company: "" }, "Enter a name or a company."],
      [{ email: "", phone: "" }, "Enter an email address or a phone number"],
      [{ email: "grace@" }, "Enter a valid email address"],
      [{ note: "x".repeat(1_000_000) }, "Use at most 2000 characters."],
      [{ card: "card-of-eve" }, "Not saved"],
      [{ tags: "x".repeat(31) }, "Use at most 30 characters for a tag."],
      [{ formToken: "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11.x" }, "Save again."],
    ];
    for (const [change, message] of problems) {
      const refused = await send(await fill({ company: "Eckert", tags: "Fair & Co", ...change }));
      const page = await textWith(400, refused, message);
      expect(page).toContain(message);
      expect(fieldValue(page, "tags")).toBe(change["tags"] ?? "Fair &amp; Co");
      if (change["note"]) expect(page).toContain(change["note"]);
    }
    expect(await leads()).toEqual([]);
  });

  test("can be sent with the form token that it gets, but not with another owner's", async () => {
    const { send, fill, leads, signedIn } = await open();
    const eve = await signedIn("eve@example.com");
    const card = await makeCard(eve);
    const foreign = await eve.post("/leads/new", await fill({ card }));
    expect(foreign.status).toBe(400);
    const again = await send(await fill({ formToken: "" }));
    const formToken = fieldValue(await again.text(), "formToken");
    expect((await send(await fill({ formToken }))).status).toBe(302);
    expect(await leads()).toHaveLength(1);
  });

  test("is followed by the next with the same card, tags and confirmation, unless its text has changed", async () => {
    const { send, fill, read, services, ownerId } = await open();
    const sent = await send(await fill({ intent: "next", tags: "Fair" }));
    const next = sent.headers.get("location") ?? "";
    expect(next).toMatch(/^\/leads\/new\?card=.*tags=Fair/);
    const page = await read(next);
    expect([fieldValue(page, "tags"), fieldValue(page, "name")]).toEqual(["Fair", ""]);
    expect(page).toMatch(/<input[^>]*name="agreed"[^>]*checked=""/);
    await services.db
      .insertInto("lead_setting")
      .values({ owner_id: ownerId, retention_months: 6, updated_at: 1 })
      .execute();
    expect(await read(next)).not.toContain('checked=""');
  });

  test("above the limit of an hour is stored afterwards", async () => {
    const { send, fill, leads, services, time, ownerId } = await open();
    await useUp(services, { limit: leadLimits.inPerson, subject: ownerId });
    const form = await fill();
    expect(await textWith(400, await send(form))).toContain("You added too many leads in the last hour.");
    time.now += leadLimits.inPerson.windowMs + 1;
    await send(form);
    expect(await leads()).toHaveLength(1);
  });
});

test("one mailbox gets at most three such mails a day, whoever adds it", async () => {
  const { fill, send, leads, mailsTo, signedIn } = await open();
  const { max } = leadLimits.mailsInPerson;
  for (let n = 0; n < max; n++) await send(await fill({ email: `Grace+${n}@example.com` }));
  const eve = await signedIn("eve@example.com");
  const card = await makeCard(eve);
  await eve.post("/leads/new", await fill({ card }, eve));
  expect(await leads()).toHaveLength(max + 1);
  expect(await mailsTo("grace@example.com")).toEqual([]);
});
