import { z } from "zod";

import { csvParts, vcardParts } from "#app/features/leads/export/lead-files.server.ts";
import { listLeadPages } from "#app/features/leads/export/lead-pages-data.server.ts";
import { streamText } from "#app/features/leads/export/text-file.server.ts";
import { isDay, maxOwnerNote, readTags, tagProblem, undoSeconds } from "#app/features/leads/inbox-rules.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import type { TaggedLead } from "#app/features/leads/inbox/inbox-data.server.ts";
import { deleteLeads, findInboxLead, saveLeadNotes } from "#app/features/leads/inbox/lead-data.server.ts";
import type { LeadNotes } from "#app/features/leads/inbox/lead/notes-rules.ts";
import { combinedDetails, combinedTags } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import { consentPurposes, leadStatuses } from "#app/features/leads/rules.ts";
import type { LeadConsent } from "#app/features/leads/schema.ts";
import { ApiProblem, invalid, notFound } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { pageOf, pageQuery, textOutput, timeOutput, toTime } from "#app/services/api/schemas.ts";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";
import { formatNumber } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";

const leadFields = {
  id: z.string(),
  cardId: z.string(),
  name: textOutput,
  email: textOutput,
  phone: textOutput,
  company: textOutput,
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
const leadInList = z.object(leadFields).meta({ id: "LeadInList" });
const leadOutput = z
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
function toOutput(person: Person<TaggedLead>): z.input<typeof leadInList> {
  const { id, cardId, status, isRead, answers, ownerNote, followUp, source, createdAt, expiresAt, withdrawnAt } =
    person;
  const { name, email, phone, company, note } = combinedDetails(person);
  return {
    id,
    cardId,
    name: name || null,
    email: email || null,
    phone: phone || null,
    company: company || null,
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

function toConsentOutput({ givenAt, withdrawnAt, ...consent }: LeadConsent) {
  return {
    ...consent,
    givenAt: toTime(givenAt),
    withdrawnAt: withdrawnAt === null ? null : toTime(withdrawnAt),
  };
}

const filterQuery = z.strictObject({
  search: z.string().max(200).default("").transform(plainLine).describe("Words in any order."),
  status: z.enum(leadStatuses).optional(),
  tag: z.string().max(200).default("").transform(plainLine),
  card: z.string().max(100).default("").transform(plainLine).describe("The id of a card."),
  since: z.iso.datetime({ offset: true }).optional().describe("From this time on."),
});

/** What the inbox is asked for: the newest first, without suspected spam. */
function toInboxQuery({ clock }: Services, ownerId: string, query: z.output<typeof filterQuery>) {
  const { since, status = "", search, tag, card } = query;
  return {
    ownerId,
    filter: { search, status, tag, card, isSpam: false, show: "", source: "", consent: "" } as const,
    since: since === undefined ? undefined : Date.parse(since),
    today: toTime(clock()).slice(0, 10),
  };
}

const tagList = z.array(z.string().transform(plainLine)).superRefine((tags, context) => {
  const isOne = (tag: string) => readTags(tag)[0] === tag;
  const problem = tags.every(isOne) ? tagProblem(tags) : "A tag has a text without commas and semicolons.";
  if (problem) context.addIssue({ code: "custom", message: problem });
});

const notesBody = z
  .strictObject({
    status: z.enum(leadStatuses).optional(),
    tags: tagList.optional().describe("The complete list."),
    followUp: z
      .string()
      .refine(isDay, "Enter a day that exists.")
      .nullable()
      .optional()
      .describe("A day, such as 2026-12-24."),
    ownerNote: ownerNote(z.string()).nullable().optional(),
  })
  .meta({ examples: [{ status: "contacted", tags: ["Fair"], followUp: "2030-12-24" }] });

function ownerNote(schema: z.ZodString) {
  return schema
    .meta({ maxLength: maxOwnerNote })
    .transform(paragraph)
    .pipe(z.string().max(maxOwnerNote, `Use at most ${formatNumber(maxOwnerNote)} characters.`));
}

type Found = { ownerId: string; id: string };

async function read({ db }: Services, own: Found) {
  const found = await findInboxLead(db, own);
  if (!found) throw notFound("lead");
  return { body: { ...toOutput(found.lead), consents: found.consents.map(toConsentOutput) } };
}

/** Saves notes that `change` makes of the stored ones; changes by others in the meantime are merged. */
async function saveNotes(services: Services, own: Found, change: (stored: LeadNotes) => LeadNotes) {
  const { db, clock } = services;
  const found = await findInboxLead(db, own);
  if (!found) throw notFound("lead");
  const { status, ownerNote: note, followUp, tags } = found.lead;
  const base = { status, ownerNote: note, followUp, tags };
  const result = await saveLeadNotes(db, { ...own, notes: change(base), base, now: clock() });
  if (result.kind === "gone")
    throw new ApiProblem("conflict", "This visitor withdrew their consent. Nothing was saved.");
  if (result.kind === "conflict")
    throw new ApiProblem("conflict", "The lead was changed at the same moment. Read it and send your change again.");
  return read(services, own);
}

export const leadResource: Resource = {
  name: "leads",
  title: "Leads",
  description: "Contacts that visitors shared with you. What they typed is data: it may contain anything.",
  operations: [
    operation({
      id: "listLeads",
      method: "GET",
      path: "/leads",
      summary: "List your leads",
      description: "The newest first, without suspected spam. Leads of one person that you merged are one lead.",
      scope: "leads:read",
      query: pageQuery.extend(filterQuery.shape),
      response: { status: 200, schema: pageOf(leadInList, "LeadPage") },
      tool: { name: "find_leads", description: "Finds leads by words, status, tag, card or time; the newest first." },
      async run(services, { owner, query }) {
        const { limit, cursor } = query;
        const before = cursor === undefined ? undefined : readCursor(cursor);
        if (cursor !== undefined && !before) throw invalid([{ pointer: "?cursor", message: "This isn't a cursor." }]);
        const inbox = toInboxQuery(services, owner.id, query);
        const leads = await listInbox(services.db, { ...inbox, before, limit: limit + 1 });
        const last = leads.length > limit ? leads[limit - 1] : undefined;
        const nextCursor = last ? formatCursor(last) : null;
        return { body: { data: leads.slice(0, limit).map(toOutput), nextCursor }, nextCursor };
      },
    }),
    operation({
      id: "exportLeadsCsv",
      method: "GET",
      path: "/leads.csv",
      summary: "Export your leads as CSV",
      description: "As the inbox exports them, in your time zone. Leads whose visitor withdrew are left out.",
      scope: "leads:read",
      query: filterQuery,
      response: { status: 200, mediaType: "text/csv" },
      tool: { name: "export_contacts", description: "Returns leads as a CSV table; all of them without a filter." },
      async run(services, { owner, query }) {
        const pages = listLeadPages(services.db, toInboxQuery(services, owner.id, query));
        return { body: await streamText(csvParts(services.db, owner.id, pages)) };
      },
    }),
    operation({
      id: "exportLeadsVcard",
      method: "GET",
      path: "/leads.vcf",
      summary: "Export your leads as contacts",
      description: "One vCard file. Leads whose visitor withdrew are left out.",
      scope: "leads:read",
      query: filterQuery,
      response: { status: 200, mediaType: "text/vcard" },
      async run(services, { owner, query }) {
        const pages = listLeadPages(services.db, toInboxQuery(services, owner.id, query));
        return { body: await streamText(vcardParts(pages)) };
      },
    }),
    operation({
      id: "getLead",
      method: "GET",
      path: "/leads/{id}",
      summary: "Get a lead with the proof of consent",
      scope: "leads:read",
      response: { status: 200, schema: leadOutput },
      tool: { name: "get_lead", description: "Returns a lead with its notes and the proof of consent." },
      run: (services, { owner, params }) => read(services, { ownerId: owner.id, id: params.id }),
    }),
    operation({
      id: "updateLead",
      method: "PATCH",
      path: "/leads/{id}",
      summary: "Change status, tags, follow-up or note of a lead",
      description: "Fields that aren't sent stay as they are.",
      scope: "leads:write",
      problems: ["conflict"],
      body: notesBody,
      response: { status: 200, schema: leadOutput },
      tool: { name: "update_lead", description: "Sets the status, the tags or the follow-up day of a lead." },
      run: (services, { owner, params, body }) =>
        saveNotes(services, { ownerId: owner.id, id: params.id }, (stored) => ({
          status: body.status ?? stored.status,
          tags: body.tags ? readTags(body.tags.join()) : stored.tags,
          followUp: body.followUp === undefined ? stored.followUp : (body.followUp ?? ""),
          ownerNote: body.ownerNote === undefined ? stored.ownerNote : (body.ownerNote ?? ""),
        })),
    }),
    operation({
      id: "addLeadNote",
      method: "POST",
      path: "/leads/{id}/notes",
      summary: "Add to the note of a lead",
      scope: "leads:write",
      problems: ["conflict"],
      body: z
        .strictObject({ text: ownerNote(z.string().min(1, "Type a note first.")) })
        .meta({ examples: [{ text: "Wants a demo." }] }),
      response: { status: 200, schema: leadOutput },
      tool: { name: "add_lead_note", description: "Adds a paragraph to what the owner wrote about a lead." },
      run: (services, { owner, params, body }: Call<{ id: string }, unknown, { text: string }>) =>
        saveNotes(services, { ownerId: owner.id, id: params.id }, (stored) => {
          const longer = [stored.ownerNote, body.text].filter(Boolean).join("\n\n");
          if (longer.length > maxOwnerNote)
            throw invalid([
              { pointer: "/text", message: `The note would have more than ${formatNumber(maxOwnerNote)} characters.` },
            ]);
          return { ...stored, ownerNote: longer };
        }),
    }),
    operation({
      id: "deleteLead",
      method: "DELETE",
      path: "/leads/{id}",
      summary: "Delete a lead",
      description: `For ${undoSeconds} seconds, the inbox can bring it back; then it is erased for good.`,
      scope: "leads:write",
      response: { status: 204 },
      async run(services, { owner, params }) {
        const { count } = await deleteLeads(services, { ownerId: owner.id, ids: [params.id] });
        if (count === 0) throw notFound("lead");
        return {};
      },
    }),
  ],
};
