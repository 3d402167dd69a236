import { z } from "zod";

import { csvParts, vcardParts } from "#app/features/leads/export/lead-files.server.ts";
import { listLeadPages } from "#app/features/leads/export/lead-pages-data.server.ts";
import { streamText } from "#app/features/leads/export/text-file.server.ts";
import { isDay, maxOwnerNote, readTags, tagProblem, undoSeconds } from "#app/features/leads/inbox-rules.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { saveDetails } from "#app/features/leads/inbox/edit/details-data.server.ts";
import { checkDetails, listNames, textNames, toOwnDetails } from "#app/features/leads/inbox/edit/details-rules.ts";
import { deleteLeads, findInboxLead, saveLeadNotes } from "#app/features/leads/inbox/lead-data.server.ts";
import type { LeadNotes } from "#app/features/leads/inbox/lead/notes-rules.ts";
import { leadStatuses, maxContactMethods } from "#app/features/leads/rules.ts";
import { ApiProblem, invalid, notFound } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { pageOf, pageQuery, toTime } from "#app/services/api/schemas.ts";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";
import { formatNumber } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";

import { leadInList, leadOutput, toConsentOutput, toOutput } from "./lead-response.server.ts";

const filterQuery = z.strictObject({
  search: z.string().max(200).default("").transform(plainLine).describe("Words in any order."),
  status: z.enum(leadStatuses).optional(),
  tag: z.string().max(200).default("").transform(plainLine),
  card: z.string().max(100).default("").transform(plainLine).describe("The id of a card."),
  since: z.iso.datetime({ offset: true }).optional().describe("From this time on."),
});

/** What is requested of the inbox: the newest first, without suspected spam. */
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

const detailText = z.string().nullable().optional();
const detailList = (what: string) =>
  z.array(z.string()).max(maxContactMethods).optional().describe(`The complete list; the first is the main ${what}.`);

/** What is sent of these replaces what is stored. */
const detailsBody = {
  name: detailText,
  title: detailText,
  company: detailText,
  website: detailText,
  emails: detailList("address"),
  phones: detailList("number"),
};
type DetailsBody = z.output<z.ZodObject<typeof detailsBody>>;

const leadBody = z
  .strictObject({
    ...detailsBody,
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

/** Saves the details that were sent, if any were. */
async function patchDetails({ db }: Services, own: Found, body: DetailsBody) {
  const sent = ([...textNames, ...listNames] as const).filter((name) => body[name] !== undefined);
  if (sent.length === 0) return;
  const found = await findInboxLead(db, own);
  if (!found) throw notFound("lead");
  const base = toOwnDetails(found.lead);
  const text = (name: (typeof textNames)[number]) => (body[name] === undefined ? base[name] : (body[name] ?? ""));
  const checked = checkDetails({
    name: text("name"),
    title: text("title"),
    company: text("company"),
    website: text("website"),
    emails: body.emails ?? base.emails,
    phones: body.phones ?? base.phones,
  });
  if ("errors" in checked)
    throw invalid(
      Object.entries(checked.errors).map(([path, message = ""]) => ({
        pointer: `/${path.replace(".", "/")}`,
        message,
      })),
    );
  const result = await saveDetails(db, { ...own, details: checked.details, base });
  if (result.kind === "gone") throw new ApiProblem("conflict", withdrawnProblem);
  if (result.kind === "conflict") throw new ApiProblem("conflict", changedProblem);
}

const withdrawnProblem = "This visitor withdrew their consent. Nothing was saved.";
const changedProblem = "The lead was changed at the same moment. Read it and send your change again.";

/** Saves notes that `change` makes of the stored ones; changes by others in the meantime are merged. */
async function saveNotes(services: Services, own: Found, change: (stored: LeadNotes) => LeadNotes) {
  const { db, clock } = services;
  const found = await findInboxLead(db, own);
  if (!found) throw notFound("lead");
  const { status, ownerNote: note, followUp, tags } = found.lead;
  const base = { status, ownerNote: note, followUp, tags };
  const result = await saveLeadNotes(db, { ...own, notes: change(base), base, now: clock() });
  if (result.kind === "gone") throw new ApiProblem("conflict", withdrawnProblem);
  if (result.kind === "conflict") throw new ApiProblem("conflict", changedProblem);
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
      summary: "Change a lead's details, status, tags, follow-up or note",
      description: "Fields that aren't sent stay as they are. What the visitor sent is kept in `sent`.",
      scope: "leads:write",
      problems: ["conflict"],
      body: leadBody,
      response: { status: 200, schema: leadOutput },
      tool: {
        name: "update_lead",
        description: "Corrects the details of a lead, or sets its status, tags or follow-up day.",
      },
      async run(services, { owner, params, body }) {
        const own = { ownerId: owner.id, id: params.id };
        await patchDetails(services, own, body);
        return saveNotes(services, own, (stored) => ({
          status: body.status ?? stored.status,
          tags: body.tags ? readTags(body.tags.join()) : stored.tags,
          followUp: body.followUp === undefined ? stored.followUp : (body.followUp ?? ""),
          ownerNote: body.ownerNote === undefined ? stored.ownerNote : (body.ownerNote ?? ""),
        }));
      },
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
