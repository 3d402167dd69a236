import { foldText } from "#app/services/base/fold-text.ts";

import { confidenceOf } from "./card-text.ts";
import type { CardLine, Proposal } from "./card-text.ts";

/**
 * The email addresses of a card, with what readers commonly get wrong repaired: "grace (at) example,com" -> "grace@example.com". Only
 * what can't be part of an address is changed.
 */
export function findEmails(lines: readonly CardLine[]): Proposal[] {
  const sites = lines.flatMap(({ text }) => findSites(text));
  return lines.flatMap((line) => {
    const found = repairAt(line.text).match(address);
    if (!found) return [];
    const read = found[0];
    const [local = "", host = ""] = joinParts(read).split("@");
    const { name, isSure } = completeLocal(local, read, repairAt(line.text));
    const domain = withKnownDots(host, sites);
    if (!isDomain(domain)) return [];
    const words = line.words.filter(({ text }) => /@|\(at\)|\[at\]/i.test(text));
    const confidence = Math.min(...words.map((word) => word.confidence), confidenceOf(line, read));
    return [
      { value: `${name}@${domain}`.toLowerCase(), confidence: isSure ? confidence : unsure(confidence), line, read },
    ];
  });
}

/**
 * The same address, but not sure if it has a word of the person's name with one other letter: one of the two was misread, as in
 * "marta.lindgvist@example.com" of "Marta Lindqvist".
 */
export function compareWithName(email: Proposal, name: string): Proposal {
  const words = (text: string) => foldText(text).split(/[^a-z]+/);
  const parts = words(email.value.split("@")[0] ?? "");
  const isMisread = words(name).some((word) => parts.some((part) => differByOneLetter(part, word)));
  return isMisread ? { ...email, confidence: unsure(email.confidence) } : email;
}

/** Of words with at least four letters. */
function differByOneLetter(one: string, other: string): boolean {
  if (one.length !== other.length || one.length < 4) return false;
  return [...one].filter((letter, index) => letter !== other[index]).length === 1;
}

/** The domains of websites in a text: "www.example.com" -> ["example.com"]. A dot after "www" that was read as a space counts. */
export function findSites(text: string): string[] {
  return [...text.matchAll(/\b(?:https?:\/\/)?w{2,3}[.,\s]\s?((?:[\w-]+[.,]\s?)+[a-z]{2,})/gi)].map(([, site = ""]) =>
    site.replaceAll(",", ".").replaceAll(" ", "").toLowerCase(),
  );
}

/** Parts joined by dots, that may have been read as commas and with spaces. */
const address = /[\w+-]+(?:\s?[.,]\s?[\w+-]+)*\s?@\s?[a-z\d-]+(?:\s?[.,]\s?[a-z\d-]+)*/i;

function repairAt(text: string): string {
  return text
    .replace(/\s*[([{]\s*(?:at|@)\s*[)\]}]\s*/gi, "@")
    .replace(/([a-z\d])\s?[©®]\s?(?=[a-z\d-]+[.,])/gi, "$1@");
}

function joinParts(read: string): string {
  return read.replace(/\s/g, "").replaceAll(",", ".");
}

/**
 * The part before the "@". A word right before it belongs to it, because labels end with a colon or are known: "lucia garcia@" ->
 * "lucia.garcia", which isn't sure. The same letter twice, as a capital and a small one, was read from one.
 */
function completeLocal(local: string, read: string, text: string): { name: string; isSure: boolean } {
  const single = local.replace(/^([A-Z])([a-z])/, (pair, capital: string, small: string) =>
    capital.toLowerCase() === small ? small : pair,
  );
  const before = /(?:^|\s)([a-z]+)\s$/.exec(text.slice(0, text.indexOf(read)))?.[1];
  if (!before || labels.has(before)) return { name: single, isSure: single === local };
  return { name: `${before}.${single}`, isSure: false };
}

const labels = new Set(["e", "email", "mail", "e-mail", "m", "at", "courriel", "correo"]);

/** Takes the dots from the card's website where they are all that differs: "northlightexample" -> "northlight.example". */
function withKnownDots(host: string, sites: readonly string[]): string {
  const plain = (text: string) => text.replaceAll(".", "");
  return sites.find((site) => plain(site) === plain(host)) ?? host;
}

function isDomain(text: string): boolean {
  return /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/i.test(text);
}

function unsure(confidence: number): number {
  return Math.min(confidence, 50);
}
