import { z } from "zod";

import { plainLine } from "#app/services/plain-text.ts";

import { messages } from "./messages.ts";
import { isAllowedAddress, maxLinks, withScheme } from "./rules.ts";
import { scheduleProblems } from "./schedule.ts";

const maxLabelLength = 60;

const name = z
  .string(messages.nameRequired)
  .transform((typed) => plainLine(typed))
  // A name of signs that nobody can see is no name.
  .pipe(
    z
      .string()
      .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, messages.nameRequired)
      .max(maxLabelLength, messages.nameTooLong),
  );

const url = z
  .string(messages.invalidUrl)
  .transform((typed) => withScheme(plainLine(typed)))
  .refine(isAllowedAddress, messages.invalidUrl);

/** A switch as JSON or a form field says it. */
const on = z.union(
  [z.boolean(), z.stringbool({ truthy: ["on", "true", "1"], falsy: ["off", "false", "0", ""] })],
  messages.unreadable,
);

/** Clicks are counted by it. A missing or unusable one is "": whoever saves gives the link a new one. */
const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .catch("");

/** A time in epoch milliseconds, as JSON or a form field says it. "" and what is missing are no time. */
const moment = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^-?\d{1,15}$/)
        .transform(Number),
      z.literal("").transform(() => null),
      z.null(),
    ],
    messages.unreadableDate,
  )
  .default(null);

/** The tab that the owner chose; null where the rule decides, which is also what becomes of a word that we don't know. */
const tab = z.enum(["professional", "personal"]).nullable().catch(null);

/** One link of a profile. */
const profileLink = z.preprocess(
  renamed("name", "label"),
  z
    .object({ id, label: name, url, on: on.default(true), from: moment, until: moment, tab }, messages.unreadable)
    .superRefine((link, context) => {
      for (const [field, message] of Object.entries(scheduleProblems(link)))
        context.addIssue({ code: "custom", path: [field], message });
    }),
);

/** One link of a card. */
const professionalLink = z.preprocess(renamed("label", "name"), z.object({ id, name, url }, messages.unreadable));

/** The links of a profile as a form or an import says them; of two with one id the second gets "". */
export const profileLinks = listOf(profileLink).transform(withOwnIds);

/** The links of a card as a form or an import says them; of two with one id the second gets "". */
export const professionalLinks = listOf(professionalLink).transform(withOwnIds);

/** Links with both name and address empty are dropped; the problems of the others keep their place in the list that was sent. */
function listOf<Link extends z.ZodType>(link: Link) {
  return z.array(z.unknown(), messages.unreadable).transform((sent, context) => {
    const links: z.output<Link>[] = [];
    const filled = sent.flatMap((item, index) => (isBlank(item) ? [] : [{ item, index }]));
    if (filled.length > maxLinks) {
      context.addIssue({ code: "custom", message: messages.tooMany });
      return z.NEVER;
    }
    for (const { item, index } of filled) {
      const read = link.safeParse(item);
      if (read.success) links.push(read.data);
      else
        for (const { message, path } of read.error.issues)
          context.addIssue({ code: "custom", message, path: [index, ...path] });
    }
    return links;
  });
}

function withOwnIds<Link extends { id: string }>(links: Link[]): Link[] {
  const taken = new Set<string>();
  return links.map((link) => {
    if (taken.has(link.id)) return { ...link, id: "" };
    taken.add(link.id);
    return link;
  });
}

function isBlank(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || (typeof value === "string" && plainLine(value) === "");
  return isEmpty(item["label"]) && isEmpty(item["name"]) && isEmpty(item["url"]);
}

/** Other programs, and older exports, say `name` for `label` or the reverse. */
function renamed(from: string, to: string) {
  return (item: unknown) =>
    isRecord(item) && (item[to] === undefined || item[to] === null) ? { ...item, [to]: item[from] } : item;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
