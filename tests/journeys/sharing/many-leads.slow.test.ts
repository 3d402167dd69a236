import { expect, test } from "vitest";

import { hashConsentText } from "#app/features/leads/consent/consent-data.server.ts";
import { createLead } from "#app/features/leads/create-data.server.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";

import { openLeadForm } from "./leads/shared-contacts.ts";

const minute = 60_000;
const text = "Ada may use my details to answer me.";

async function open() {
  const opened = await openLeadForm();
  const ownerId = await userIdOf(opened.ada);
  let count = 0;
  /** A visitor of another network each time, as at a fair with a mobile network. */
  const share = () => {
    const n = count++;
    return createLead(opened.services, {
      id: `lead-${n}`,
      ownerId,
      cardId: opened.card,
      source: "qr",
      consentSource: "form",
      details: { name: `Guest ${n}`, email: `guest-${n}@example.com`, phone: "", company: "", note: "", answers: [] },
      consents: [{ purpose: "answer", hash: hashConsentText(text) }],
      currentTexts: [{ purpose: "answer", text }],
      givenAt: opened.time.now,
      address: `${11 + (n % 200)}.${Math.floor(n / 200)}.${n % 256}.7`,
    });
  };
  const seen = new Set<string>();
  /** The subjects of the owner's mails since the last call. */
  const newMails = async () => {
    const mails = (await opened.mails()).filter(({ to }) => to === opened.ada.email);
    const subjects = mails.map(({ subject }) => subject).filter((subject) => !seen.has(subject));
    for (const subject of subjects) seen.add(subject);
    return subjects;
  };
  return { ...opened, share, newMails };
}

test("of a thousand leads in a minute none is lost, those above the card's limit wait as spam, and two mails announce the others", async () => {
  const { share, leads, services, time, newMails, ada } = await open();
  const mails: string[] = [];
  for (let batch = 0; batch < 20; batch++) {
    const results = await Promise.all(Array.from({ length: 50 }, share));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["created"]));
    time.now += minute / 20;
    await services.jobs.runDue();
    // The mailbox of the tests forgets old mails, of which the visitors get 300.
    mails.push(...(await newMails()));
  }
  const stored = await leads();
  expect(stored).toHaveLength(1_000);
  const inbox = stored.filter((lead) => lead.quarantined_at === null);
  expect(inbox).toHaveLength(leadLimits.ofCard.max);
  expect(stored.filter((lead) => lead.spam_reasons === '["card-limit"]')).toHaveLength(1_000 - leadLimits.ofCard.max);
  time.now += 10 * minute;
  await services.jobs.runDue();
  mails.push(...(await newMails()));
  expect(mails).toEqual(["You have 50 new leads", `You have ${leadLimits.ofCard.max - 50} new leads`]);
  // The owner can take them out of quarantine.
  const page = (await (await ada.get("/leads?view=spam")).text()).replaceAll("<!-- -->", "");
  expect(page).toContain("Spam (99+)");
  const spam = stored.find((lead) => lead.quarantined_at !== null);
  await ada.post("/leads", { intent: "not-spam", id: spam?.id ?? "", back: "?view=spam" });
  expect((await leads()).filter((lead) => lead.quarantined_at === null)).toHaveLength(leadLimits.ofCard.max + 1);
});
