import ICAL from "ical.js";
import { z } from "zod";

import type { ContactCard } from "./import-lines.ts";

/** One property of a contact: "item1.TEL;TYPE=CELL:+1 555" -> tel, of the kind "cell", in the group "item1". */
export type ContactProperty = {
  name: string;
  group: string;
  /** In lower case: "work", "cell", "pref". */
  kinds: string[];
  /** The parts of a value that has several (N, ORG, ADR), else one. */
  parts: string[];
};

/** The properties of a card that `wanted` names, and the names of all that it has besides. What can't be read is passed over. */
export function readProperties({ version, lines }: ContactCard, wanted: ReadonlySet<string>) {
  const properties: ContactProperty[] = [];
  const others = new Set<string>();
  for (const line of lines) {
    const name = propertyName.exec(line)?.[1]?.toLowerCase();
    if (!name) continue;
    const isShort = line.length <= maxLine && properties.length < maxProperties && !hasManyParts(line);
    const property = wanted.has(name) && isShort ? readProperty(line, version) : undefined;
    if (property) properties.push(property);
    else others.add(name);
  }
  return { properties, others };
}

function readProperty(line: string, version: string): ContactProperty | undefined {
  const design = version === "4.0" ? ICAL.design.vcard : ICAL.design.vcard3;
  try {
    const read = jcard.safeParse(ICAL.parse.property(withNamedKinds(line), design));
    if (!read.success) return undefined;
    const [name, { group, type, pref }, , value] = read.data;
    const kinds = [...type, ...(pref ? ["pref"] : [])].flatMap((kind) => kind.toLowerCase().split(","));
    return { name, group: group?.toLowerCase() ?? "", kinds, parts: value };
  } catch {
    // ical.js throws errors of many kinds at a line that is none; the rest of the contact is worth having all the same.
    return undefined;
  }
}

/** vCard 2.1 says "TEL;HOME;VOICE:", what later became "TEL;TYPE=HOME;TYPE=VOICE:". Quoted values are of later ones. */
function withNamedKinds(line: string): string {
  const colon = line.indexOf(":");
  const head = line.slice(0, colon);
  if (!head.includes(";") || head.includes('"')) return line;
  const [name = "", ...params] = head.split(";");
  const named = params.filter(Boolean).map((param) => (param.includes("=") ? param : `TYPE=${param}`));
  return [name, ...named].join(";") + line.slice(colon);
}

const words = z.union([z.string().transform((word) => [word]), z.array(z.string())]);

/** RFC 7095: [name, parameters, type, value]; a part of a value may be a list itself. */
const jcard = z.tuple([
  z.string(),
  z.object({
    group: z.string().optional().catch(undefined),
    type: words.catch([]).default([]),
    pref: z.string().optional().catch(undefined),
  }),
  z.string(),
  z.union([
    // RFC 2426 §5 and Apple escape more signs than ical.js takes back.
    z.string().transform((word) => [word.replace(/\\([;:,])/g, "$1")]),
    z.array(words.transform((several) => several.filter(Boolean).join(", "))),
  ]),
]);

const propertyName = /^(?:[\w-]{1,40}\.)?([a-z\d-]{1,40})[;:]/i;
/** An address has seven parts. Each takes ical.js a while, and a line of nothing but commas would have thousands. */
function hasManyParts(line: string): boolean {
  return (line.match(/[,;]/g)?.length ?? 0) > maxParts;
}

const maxParts = 100;
/** A picture is longer, and not wanted. */
const maxLine = 5_000;
const maxProperties = 100;
