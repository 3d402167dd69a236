import { randomUUID } from "node:crypto";

import { hashConsentText } from "./consent-data.server.ts";
import { consentTexts } from "./consent-text.ts";
import { hasServices } from "./services-data.server.ts";
import { findRetentionMonths } from "#app/features/leads/data.server.ts";
import { findLeadForm } from "#app/features/leads/form-data.server.ts";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { LeadFormSettings } from "#app/features/leads/schema.ts";
import { sourceOf, visitSources } from "#app/features/sharing/source-marks.ts";
import type { VisitSource } from "#app/features/sharing/source-marks.ts";
import { isSigned, readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { minFormAgeMs } from "./spam-rules.ts";

/** What visitors see of a card's form. */
export type OpenForm = { settings: LeadFormSettings; consents: OfferedConsent[] };

/** A text that a visitor may agree to, with its SHA-256. */
export type OfferedConsent = { purpose: ConsentPurpose; text: string; hash: string };

/** The form of a public card; undefined while its owner has it switched off. */
export async function findOpenForm(
  { db }: Pick<Services, "db">,
  { cardId, ownerId, displayName, company }: { cardId: string; ownerId: string; displayName: string; company: string },
): Promise<OpenForm | undefined> {
  const { isOn, settings } = await findLeadForm(db, cardId);
  if (!isOn) return undefined;
  const parties = {
    displayName,
    company,
    months: await findRetentionMonths(db, ownerId),
    hasServices: await hasServices(db, ownerId),
  };
  const texts = consentTexts(settings, parties);
  return { settings, consents: texts.map((text) => ({ ...text, hash: hashConsentText(text.text) })) };
}

/** What we sign into a form: the id that its lead will have, when it was opened, and how the visitor came. */
export type FormToken = { id: string; openedAt: number; source: VisitSource | "" };

type SignFunction = Services["sign"];

export function makeFormToken(sign: SignFunction, { id, openedAt, source }: FormToken, cardId: string): string {
  const content = `${id}.${openedAt}.${source}`;
  return `${content}.${sign("lead form", `${cardId}\n${content}`)}`;
}

/** The content of a token that we made for this card; undefined for any other text. */
export function readFormToken(sign: SignFunction, token: string, cardId: string): FormToken | undefined {
  const [id = "", time = "", mark = ""] = token.split(".", 4);
  const source: FormToken["source"] = visitSources.find((known) => known === mark) ?? "";
  if (!/^[\da-f-]{36}$/.test(id) || !/^\d{1,15}$/.test(time)) return undefined;
  const content: FormToken = { id, openedAt: Number(time), source };
  return isSigned(sign, token, (one) => makeFormToken(one, content, cardId)) ? content : undefined;
}

/** The token of a form that is opened now. */
export function newFormToken(
  { sign, clock }: Services,
  request: { url: URL; headers: Headers },
  cardId: string,
): string {
  return makeFormToken(sign, { id: randomUUID(), openedAt: clock(), source: readSource(request) }, cardId);
}

/** The token of a form that is filled in already: it can be sent at once. */
export function readyFormToken({ sign, clock }: Services, source: VisitSource | "", cardId: string): string {
  return makeFormToken(sign, { id: randomUUID(), openedAt: clock() - minFormAgeMs, source }, cardId);
}

/** The mark of this page's URL, or of the owner's page that led here: browsers name it within a site. */
function readSource({ url, headers }: { url: URL; headers: Headers }): VisitSource | "" {
  const own = sourceOf(url.search);
  if (own) return own;
  const referrer = URL.parse(headers.get("referer") ?? "");
  return referrer?.host === url.host ? sourceOf(referrer.search) : "";
}

/** Shows the thanks after a redirect, for an hour. `isMailed`: whether the visitor gave an email address. */
export function makeSentToken({ sign, clock }: Pick<Services, "sign" | "clock">, isMailed: boolean): string {
  return signedText(sign, "lead sent", `${clock()}${isMailed ? "m" : ""}`);
}

export function readSentToken(
  { sign, clock }: Pick<Services, "sign" | "clock">,
  token: string | null,
): { isMailed: boolean } | undefined {
  const text = readSignedText(sign, "lead sent", token ?? "");
  const isRecent = text !== undefined && Math.abs(clock() - Number.parseInt(text, 10)) < 3_600_000;
  return isRecent ? { isMailed: text.endsWith("m") } : undefined;
}
