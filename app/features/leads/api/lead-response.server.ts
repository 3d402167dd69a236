import { z } from "zod";

import type { TaggedLead } from "#app/features/leads/inbox/inbox-data.server.ts";
import { combinedDetails, combinedTags, otherDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import { consentPurposes, leadStatuses } from "#app/features/leads/rules.ts";
import type { LeadConsent, SentDetails } from "#app/features/leads/schema.ts";
import { textOutput, timeOutput, toTime } from "#app/services/api/schemas.ts";

const leadFields = {
  id: z.string(),
  cardId: z.string(),
  name: textOutput,
  email: textOutput,
  phone: textOutput,
  company: textOutput,
  title: textOutput,
  website: textOutput,
  emails: z.array(z.string()).describe("All addresses; `email` is the first."),
  phones: z.array(z.string()).describe("All numbers; `phone` is the first."),
  sent: z
    .object({
      name: textOutput,
      title: textOutput,
      company: textOutput,
      email: textOutput,
      phone: textOutput,
      website: textOutput,
    })
    .nullable()
    .describe("What was sent, if you have changed the details since; otherwise null."),
  note: textOutput.describe("What the visitor wrote."),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  source: textOutput.describe("How the visitor came: `qr`, `nfc`, `kiosk` and others; null: directly."),
  status: z.enum(leadStatuses),
  tags: z.array(z.string()),
  ownerNote: textOutput.describe("What you wrote."),
  followUp: textOutput.describe("A day, such as 2026-12-24."),
  isRead: z.boolean(),
  createdAt: timeOutput,
  expiresAt: timeOutput.describe("When it is deleted, as the visitor was told."),
  withdrawnAt: timeOutput.nullable().describe("When the visitor withdrew all consent; nothing else is left then."),
};
export const leadInList = z.object(leadFields).meta({ id: "LeadInList" });
export const leadOutput = z
  .object({
    ...leadFields,
    consents: z.array(
      z.object({
        purpose: z.enum(consentPurposes),
        version: z.int(),
        text: z.string().describe("What the visitor agreed to."),
        hash: z.string().describe("SHA-256 of the text, in hexadecimal."),
        source: z.string(),
        givenAt: timeOutput,
        withdrawnAt: timeOutput.nullable(),
      }),
    ),
  })
  .meta({ id: "Lead" });

/** A person as the inbox shows them: with the details and tags of what is merged into their lead. */
export function toOutput(person: Person<TaggedLead>): z.input<typeof leadInList> {
  const { id, cardId, status, isRead, answers, ownerNote, followUp, source, createdAt, expiresAt, withdrawnAt } =
    person;
  const { name, email, phone, company, title, website, note } = combinedDetails(person);
  return {
    id,
    cardId,
    name: name || null,
    email: email || null,
    phone: phone || null,
    company: company || null,
    title: title || null,
    website: website || null,
    emails: [email, ...otherDetails(person, "email")].filter(Boolean),
    phones: [phone, ...otherDetails(person, "phone")].filter(Boolean),
    sent: person.sent ? toSentOutput(person.sent) : null,
    note: note || null,
    answers: [...answers],
    source: source || null,
    status,
    tags: combinedTags(person),
    ownerNote: ownerNote || null,
    followUp: followUp || null,
    isRead,
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
    withdrawnAt: withdrawnAt === null ? null : toTime(withdrawnAt),
  };
}

function toSentOutput({ name, title, company, email, phone, website }: SentDetails) {
  return {
    name: name || null,
    title: title || null,
    company: company || null,
    email: email || null,
    phone: phone || null,
    website: website || null,
  };
}

export function toConsentOutput({ givenAt, withdrawnAt, ...consent }: LeadConsent) {
  return {
    ...consent,
    givenAt: toTime(givenAt),
    withdrawnAt: withdrawnAt === null ? null : toTime(withdrawnAt),
  };
}
