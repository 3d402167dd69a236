import { describe, expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { runMaintenance } from "#server/maintenance.ts";

import { fieldValue, makeCard, pendingToast } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const dayMs = 86_400_000;

async function open() {
  const time = { now: Date.UTC(2026, 10, 23) };
  const product = await createTestApp({ clock: () => time.now });
  const ada = await product.signedIn();
  const card = await makeCard(ada);
  const pageOf = async (path = "/leads/new") => (await ada.get(path)).text();
  /** A new form, filled in and confirmed. */
  const fill = async (change: Record<string, string> = {}) => {
    const page = await pageOf();
    const [stamp, agreed] = [fieldValue(page, "stamp"), fieldValue(page, "agreed")];
    return { stamp, agreed, card, name: "Grace Hopper", email: "grace@example.com", tags: "", ...change };
  };
  const leads = () => product.services.db.selectFrom("lead").selectAll().execute();
  const mailTo = async (address: string) => {
    await product.services.jobs.runDue();
    return (await product.mails()).filter(({ to }) => to === address);
  };
  return { ...product, ada, card, time, pageOf, fill, leads, mailTo };
}

describe("the form to add a lead by hand", () => {
  test("says what is confirmed, by whom and for how long, and checks no box", async () => {
    const { pageOf } = await open();
    const page = await pageOf();
    expect(page).toContain("This person gave me, ada, their card or contact details in person");
    expect(page).toContain("deleted after 24 months at the latest");
    expect(page).not.toContain('checked=""');
  });

  test("is linked from the inbox, and asks for a card first when there is none", async () => {
    const { ada, pageOf, signedIn } = await open();
    expect(await (await ada.get("/leads")).text()).toContain('href="/leads/new"');
    const eve = await signedIn("eve@example.com");
    const page = await (await eve.get("/leads/new")).text();
    expect(page).toContain("Create a business card first");
    expect(page).not.toContain('name="stamp"');
    expect(await pageOf()).toContain('name="stamp"');
  });
});

describe("a lead added by hand", () => {
  test("is stored with proof of a consent given in person, tagged, and not new", async () => {
    const { ada, fill, leads, services } = await open();
    const sent = await ada.post(
      "/leads/new",
      await fill({ tags: "Fair, Hot", phone: "+49 30 901820", note: "Wants a demo" }),
    );
    const [lead] = await leads();
    expect(sent.headers.get("location")).toBe(`/leads/${lead?.id}`);
    expect(lead).toMatchObject({ name: "Grace Hopper", source: "hand", phone: "+49 30 901820", quarantined_at: null });
    expect((lead?.expires_at ?? 0) - (lead?.created_at ?? 0)).toBe(24 * 30 * dayMs);
    expect(await services.db.selectFrom("lead_consent").selectAll().execute()).toMatchObject([
      { purpose: "in-person", source: "in person", text_version: 1, withdrawn_at: null },
    ]);
    const page = await (await ada.get(`/leads/${lead?.id}`)).text();
    for (const text of ["Added by hand", "Note when added", "Fair", "Hot", "In person", "agreed to be contacted by me"])
      expect(page).toContain(text);
    expect(await (await ada.get("/leads")).text()).not.toContain("Unread: ");
  });

  test("is told the person by mail, who can read what was confirmed, and erase it", async () => {
    const { ada, fill, leads, mailTo, visitor } = await open();
    await ada.post("/leads/new", await fill({ note: "Wants a demo" }));
    const [mail, ...others] = await mailTo("grace@example.com");
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Your details were saved by ada");
    expect(mail?.text).toContain("confirmed that you gave them your business card or your details in person");
    for (const words of ["Wants a demo", "you shared your", "You agreed"]) expect(mail?.text).not.toContain(words);
    const link = /\/shared\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const page = await (await visitor().get(link)).text();
    expect(page.replaceAll("<!-- -->", "")).toContain("The owner confirmed on November 23, 2026");
    expect(page).toContain("This person gave me, ada, their card");
    await visitor().post(link, { intent: "erase" });
    expect(await leads()).toEqual([]);
    expect((await mailTo(ada.email)).map(({ subject }) => subject)).toContain("A lead erased their details");
  });

  test("of one form in twenty tabs is one lead, and the next form another", async () => {
    const { ada, fill, leads } = await open();
    const form = await fill();
    const sent = await Promise.all(Array.from({ length: 20 }, () => ada.post("/leads/new", form)));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([302]));
    expect(await leads()).toHaveLength(1);
    await ada.post("/leads/new", await fill());
    expect(await leads()).toHaveLength(2);
  });

  test("leads to the next form with the same card and tags", async () => {
    const { ada, fill, pageOf } = await open();
    const sent = await ada.post("/leads/new", await fill({ intent: "next", tags: "Fair" }));
    expect(pendingToast(ada)).toMatchObject({ title: "Lead saved" });
    const page = await pageOf(sent.headers.get("location") ?? "");
    expect(fieldValue(page, "tags")).toBe("Fair");
    expect(fieldValue(page, "name")).toBe("");
  });

  test("that its person erased isn't stored again by an old form", async () => {
    const { ada, fill, leads, mailTo, visitor } = await open();
    const form = await fill();
    await ada.post("/leads/new", form);
    const [mail] = await mailTo("grace@example.com");
    await visitor().post(/\/shared\/\S+/.exec(mail?.text ?? "")?.[0] ?? "", { intent: "erase" });
    await ada.post("/leads/new", form);
    expect(pendingToast(ada)).toMatchObject({ title: "Not saved" });
    expect(await leads()).toEqual([]);
  });

  test("that its person erased isn't stored again by a form of half a year ago", async () => {
    const { ada, fill, leads, services, time } = await open();
    const form = await fill();
    await ada.post("/leads/new", form);
    await eraseLeads(services, { ownerId: await userIdOf(ada), ids: (await leads()).map(({ id }) => id) });
    time.now += 180 * dayMs;
    await runMaintenance(services.features, services);
    const again = await ada.post("/leads/new", form);
    expect([again.status, await leads()]).toEqual([400, []]);
    expect(fieldValue(await again.text(), "stamp")).not.toBe(form.stamp);
  });
});

describe("a form that is refused", () => {
  const problems: [string, Record<string, string>, string][] = [
    ["no consent", { agreed: "" }, "Check this box if they agreed."],
    ["a text that has changed", { agreed: "0".repeat(64) }, "This text has changed."],
    ["neither name nor company", { name: " ", company: "" }, "Enter a name or a company."],
    ["no way to contact", { email: "", phone: "" }, "Enter an email address or a phone number"],
    ["a wrong address", { email: "grace@" }, "Enter a valid email address"],
    ["a note that is too long", { note: "x".repeat(1_000_000) }, "Use at most 2000 characters."],
    ["a card that isn't the owner's", { card: "card-of-eve" }, "Not saved"],
    ["a tag that is too long", { tags: "x".repeat(31) }, "Use at most 30 characters for a tag."],
    ["a stamp that isn't ours", { stamp: "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11.x" }, "Save again."],
  ];
  test.each(problems)("because of %s comes back with everything typed", async (_, change, message) => {
    const { ada, fill, leads } = await open();
    const sent = await ada.post("/leads/new", await fill({ company: "Eckert", tags: "Fair & Co", ...change }));
    expect(sent.status).toBe(400);
    const page = await sent.text();
    expect(page).toContain(message);
    expect(fieldValue(page, "tags")).toBe(change["tags"] ?? "Fair &amp; Co");
    if (change["note"]) expect(page).toContain(change["note"]);
    expect(await leads()).toEqual([]);
  });

  test("can be sent with the stamp that it gets, but not with another owner's", async () => {
    const { ada, fill, leads, signedIn } = await open();
    const eve = await signedIn("eve@example.com");
    const card = await makeCard(eve);
    const foreign = await eve.post("/leads/new", await fill({ card }));
    expect(foreign.status).toBe(400);
    const again = await ada.post("/leads/new", await fill({ stamp: "" }));
    const stamp = fieldValue(await again.text(), "stamp");
    expect((await ada.post("/leads/new", await fill({ stamp }))).status).toBe(302);
    expect(await leads()).toHaveLength(1);
  });

  test("above the limit of an hour is stored afterwards", async () => {
    const { ada, fill, leads, services, time } = await open();
    const attempt = { limit: leadLimits.inPerson, subject: await userIdOf(ada) };
    for (let n = 0; n < attempt.limit.max; n++) await services.rateLimits.consume([attempt]);
    const form = await fill();
    const refused = await ada.post("/leads/new", form);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("You added too many leads in the last hour.");
    time.now += leadLimits.inPerson.windowMs + 1;
    await ada.post("/leads/new", form);
    expect(await leads()).toHaveLength(1);
  });
});

test("line breaks in a name change neither the mail's headers nor the lead's name", async () => {
  const { ada, fill, leads, mailTo } = await open();
  await ada.post("/leads/new", await fill({ name: "Grace\r\nBcc: all@example.com", company: '=HYPERLINK("x")' }));
  expect(await leads()).toMatchObject([{ name: "Grace Bcc: all@example.com" }]);
  expect(await mailTo("all@example.com")).toEqual([]);
  expect(await (await ada.get("/leads/export.csv")).text()).toContain(`"'=HYPERLINK(""x"")"`);
});

test("one mailbox gets at most three such mails a day, whoever adds it", async () => {
  const { fill, ada, leads, mailTo, signedIn } = await open();
  for (let n = 0; n < leadLimits.mailsInPerson.max; n++)
    await ada.post("/leads/new", await fill({ email: `Grace+${n}@example.com` }));
  const eve = await signedIn("eve@example.com");
  const card = await makeCard(eve);
  const page = await (await eve.get("/leads/new")).text();
  const [stamp, agreed] = [fieldValue(page, "stamp"), fieldValue(page, "agreed")];
  await eve.post("/leads/new", { stamp, agreed, card, name: "Grace", email: "grace@example.com" });
  expect(await leads()).toHaveLength(leadLimits.mailsInPerson.max + 1);
  expect(await mailTo("grace@example.com")).toEqual([]);
});
