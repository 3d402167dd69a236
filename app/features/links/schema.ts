import { z } from "zod";

import { mapFields, namesOf } from "#app/services/base/form-fields.ts";
import { plainLine, shortened } from "#app/services/base/plain-text.ts";

import { messages } from "./messages.ts";
import {
  hostLabel,
  isAllowedAddress,
  maxAltLength,
  maxHeadings,
  maxLabelLength,
  maxStoredLinks,
  optionalLinkTexts,
  parseKind,
  withScheme,
} from "./rules.ts";
import { findScheduleErrors } from "./schedule.ts";
import { findMedium } from "./site-data.ts";

/** One line with at least one visible character. */
function visibleLine(texts: { required: string; tooLong: string }) {
  return z
    .string(texts.required)
    .transform((typed) => plainLine(typed))
    .pipe(z.string().regex(visibleCharacter, texts.required).max(maxLabelLength, texts.tooLong));
}

const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

const labelField = visibleLine({ required: messages.nameRequired, tooLong: messages.nameTooLong });
const headingField = visibleLine({ required: messages.headingRequired, tooLong: messages.headingTooLong });

const urlField = z
  .string(messages.invalidUrl)
  .transform((typed) => withScheme(plainLine(typed)))
  .refine(isAllowedAddress, messages.invalidUrl);

/** A switch in JSON or in a form. */
const onField = z.union(
  [z.boolean(), z.stringbool({ truthy: ["on", "true", "1"], falsy: ["off", "false", "0", ""] })],
  messages.unreadable,
);

/** Identifies the link in click counts. A missing or invalid id becomes "", and the save assigns a new one. */
const idField = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .catch("");

/** A time in epoch milliseconds, in JSON or in a form. An empty or missing value means no time. */
const momentField = z
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

/** The tab that the owner chose; null, even for an unknown value, when the rule decides. */
const tabField = z.enum(["professional", "personal"]).nullable().catch(null);

/** Undefined when it is empty. */
const optionalTexts = mapFields(namesOf(optionalLinkTexts), (name) => {
  const { maxLength } = optionalLinkTexts[name];
  return z
    .string(messages.unreadable)
    .nullish()
    .transform((typed) => plainLine(typed ?? "") || undefined)
    .pipe(z.string().max(maxLength, messages.tooLong(maxLength)).optional());
});

const scheduleFields = { id: idField, on: onField.default(true), from: momentField, until: momentField };

/** Its tab is that of the links below it. */
const heading = z
  .object({ ...scheduleFields, kind: z.literal("heading"), label: headingField })
  .transform((entry) => ({ ...entry, url: "", tab: null }));

const addressFields = { ...scheduleFields, label: labelField, url: urlField, tab: tabField, ...optionalTexts };

const addressLink = z
  .object({ ...addressFields, kind: z.enum(["link", "media"]) })
  .transform((link) => ({ ...link, kind: findMedium(link.url) ? link.kind : ("link" as const) }));

/** `picture` is the storage key prefix of an upload; the form checks whose it is. */
const featuredLink = z.object({
  ...addressFields,
  kind: z.literal("featured"),
  picture: z.string(messages.imageRequired).regex(/^pictures\/[\w-]+\/[\w-]+_\d+$/, messages.imageRequired),
  alt: z
    .string()
    .default("")
    .transform((typed) => plainLine(typed))
    .pipe(z.string().max(maxAltLength, messages.altTooLong)),
});

const profileLink = z.preprocess(
  (item) => withHostAsLabel("label")(withKnownKind(withRenamedField("name", "label")(item))),
  z
    .discriminatedUnion("kind", [heading, addressLink, featuredLink], messages.unreadable)
    .superRefine((link, context) => {
      for (const [field, message] of Object.entries(findScheduleErrors(link)))
        context.addIssue({ code: "custom", path: [field], message });
    }),
);

const professionalLink = z.preprocess(
  (item) => withHostAsLabel("name")(withRenamedField("label", "name")(item)),
  z.object({ id: idField, name: labelField, url: urlField }, messages.unreadable),
);

/** The links of a profile, from a form or an import. The second of two links with the same id gets the id "". */
export const profileLinks = linkList(profileLink).transform(withUniqueIds);

/** The links of a card, from a form or an import. The second of two links with the same id gets the id "". */
export const professionalLinks = linkList(professionalLink).transform(withUniqueIds);

/** Drops links whose name and address are both empty. The paths of errors are indexes of the list that was sent. */
function linkList<Link extends z.ZodType>(link: Link) {
  return z.array(z.unknown(), messages.unreadable).transform((sent, context) => {
    const links: z.output<Link>[] = [];
    const filled = sent.flatMap((item, index) => (isBlank(item) ? [] : [{ item, index }]));
    const headings = filled.filter(({ item }) => isHeading(item)).length;
    const tooMany = [
      ...(filled.length - headings > maxStoredLinks ? [messages.tooMany(maxStoredLinks)] : []),
      ...(headings > maxHeadings ? [messages.tooManyHeadings] : []),
    ];
    if (tooMany.length > 0) {
      for (const message of tooMany) context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    for (const { item, index } of filled) {
      const read = link.safeParse(item);
      if (read.success) links.push(read.data);
      else
        for (const { message, path } of listIssues(item, read.error))
          context.addIssue({ code: "custom", message, path: [index, ...path] });
    }
    return links;
  });
}

/** Without the error of a blank name when the URL is invalid: a valid URL gives the link a name. */
function listIssues(item: unknown, { issues }: z.ZodError): z.core.$ZodIssue[] {
  const isNamedByUrl = isRecord(item) && isInvisible(item["label"] ?? item["name"]);
  if (!isNamedByUrl || !issues.some(({ path }) => path[0] === "url")) return issues;
  return issues.filter(({ message }) => message !== messages.nameRequired);
}

function isHeading(item: unknown): boolean {
  return isRecord(item) && item["kind"] === "heading";
}

/** A missing or unknown kind is that of a plain link. */
function withKnownKind(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const { kind } = item;
  return { ...item, kind: typeof kind === "string" ? parseKind(kind) : "link" };
}

function withUniqueIds<Link extends { id: string }>(links: Link[]): Link[] {
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

/** A link without a label gets the host of its address. */
function withHostAsLabel(field: "label" | "name") {
  return (item: unknown) => {
    if (!isRecord(item) || isHeading(item) || !isInvisible(item[field]) || typeof item["url"] !== "string") return item;
    const url = withScheme(plainLine(item["url"]));
    return isAllowedAddress(url) ? { ...item, [field]: shortened(hostLabel(url), maxLabelLength) } : item;
  };
}

function isInvisible(label: unknown): boolean {
  return (
    label === undefined || label === null || (typeof label === "string" && !visibleCharacter.test(plainLine(label)))
  );
}

/** Imports may use `name` for `label`, or the reverse. */
function withRenamedField(from: string, to: string) {
  return (item: unknown) =>
    isRecord(item) && (item[to] === undefined || item[to] === null) ? { ...item, [to]: item[from] } : item;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
