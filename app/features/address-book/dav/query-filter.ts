import ICAL from "ical.js";
import { z } from "zod";

import type { XmlElement } from "./xml-parser.ts";

/** Tells whether a vCard matches. */
export type ContactFilter = (vcard: string) => boolean;

type Property = { name: string; parameters: Record<string, string>; value: string };
type Test<T> = (value: T) => boolean;

/**
 * Reads the filter of an addressbook-query (RFC 6352 §10.5). Without one, everything matches. Returns a precondition for a filter that can't
 * be applied.
 */
export function readFilter(query: XmlElement): ContactFilter | "card:supported-filter" | "card:supported-collation" {
  const filter = query.children.find(({ name }) => name === "filter");
  if (!filter || filter.children.length === 0) return () => true;
  const matches = findAll(filter, "text-match");
  if (matches.some(({ attributes }) => !collations.includes(attributes["collation"] ?? "")))
    return "card:supported-collation";
  if (matches.some(({ attributes }) => !matchers.has(attributes["match-type"] ?? "contains")))
    return "card:supported-filter";
  const test = combine(filter, filter.children.map(readPropertyFilter));
  return (vcard) => test(readProperties(vcard));
}

/** Without one, the default. RFC 6352 §8.3: both of these have to be supported. */
const collations = ["", "default", "i;ascii-casemap", "i;unicode-casemap"];

function findAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

/** All of them, or by default any. */
function combine<T>({ attributes }: XmlElement, tests: readonly Test<T>[]): Test<T> {
  if (attributes["test"] === "allof") return (value) => tests.every((test) => test(value));
  return (value) => tests.some((test) => test(value));
}

function readPropertyFilter(element: XmlElement): Test<readonly Property[]> {
  // "item1.EMAIL" is an EMAIL.
  const wanted = (element.attributes["name"] ?? "").toLowerCase().replace(/^.*\./, "");
  const named: (all: readonly Property[]) => Property[] = (all) => all.filter(({ name }) => name === wanted);
  if (element.children.some(({ name }) => name === "is-not-defined")) return (all) => named(all).length === 0;
  if (element.children.length === 0) return (all) => named(all).length > 0;
  const tests = element.children.map((child): Test<readonly Property[]> => {
    const test = child.name === "param-filter" ? readParameterFilter(child) : ofValue(readTextMatch(child));
    return (properties) => properties.some(test);
  });
  return (all) => named(all).length > 0 && combine(element, tests)(named(all));
}

function ofValue(test: Test<string>): Test<Property> {
  return ({ value }) => test(value);
}

function readParameterFilter({ attributes, children }: XmlElement): Test<Property> {
  const name = (attributes["name"] ?? "").toLowerCase();
  const [child] = children;
  if (child?.name === "is-not-defined") return ({ parameters }) => parameters[name] === undefined;
  const test = child ? readTextMatch(child) : () => true;
  return ({ parameters }) => parameters[name] !== undefined && test(parameters[name]);
}

const matchers = new Map<string, (text: string, wanted: string) => boolean>([
  ["equals", (text, wanted) => text === wanted],
  ["contains", (text, wanted) => text.includes(wanted)],
  ["starts-with", (text, wanted) => text.startsWith(wanted)],
  ["ends-with", (text, wanted) => text.endsWith(wanted)],
]);

function readTextMatch({ attributes, text }: XmlElement): Test<string> {
  const matches = matchers.get(attributes["match-type"] ?? "contains") ?? (() => false);
  const wanted = foldCase(text);
  const isNegated = attributes["negate-condition"] === "yes";
  return (value) => matches(foldCase(value), wanted) !== isNegated;
}

/** RFC 5051: case doesn't matter, and compatible characters are equal. */
function foldCase(text: string): string {
  return text.toLowerCase().normalize("NFKD");
}

/** RFC 7095: a vCard as JSON. */
const jCard = z.tuple([
  z.string(),
  z.array(z.tuple([z.string(), z.record(z.string(), z.unknown()), z.string()], z.unknown())),
  z.unknown(),
]);

function readProperties(vcard: string): Property[] {
  const [, properties] = jCard.parse(ICAL.parse(vcard));
  return properties.map(([name, parameters, , ...values]) => ({
    name,
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    value: values.map((value) => (Array.isArray(value) ? value.join(";") : String(value))).join(","),
  }));
}
