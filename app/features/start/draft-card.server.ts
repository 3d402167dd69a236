import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { z } from "zod";

import { accentChoices, defaultDesign, paperChoices } from "#app/features/cards/card-design.ts";
import type { CardDesign } from "#app/features/cards/card-design.ts";
import { cleanLine, maxLengths } from "#app/features/cards/card-fields.ts";
import { maxDisplayName } from "#app/features/profile/rules.ts";
import { deleteSignUpDrafts, findSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import { shortened } from "#app/services/base/plain-text.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { readLastingText, signedText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** What a visitor typed and chose in the live demo and wants to keep, until they have an account. "" for texts that they left as they were. */
export type DraftCard = z.infer<typeof draftCardSchema>;

const draftCardSchema = z.object({
  name: z.string(),
  title: z.string(),
  company: z.string(),
  accent: z.string(),
  paper: z.enum(paperChoices.map(({ id }) => id)),
});

type Context = Readonly<RouterContextProvider>;
type CookieDeps = { config: Pick<Services["config"], "baseUrl">; sign: Services["sign"] };

const cookieName = "meishi.kept_card";
const daySeconds = 24 * 60 * 60;
/** With its name and attributes, the cookie takes at most 1 kB. */
const maxPayload = 800;

/**
 * The Set-Cookie that carries the card through the sign-up: for a day, in this browser, out of the reach of scripts, and in no URL. Text that is
 * too long is shortened or left out.
 */
export function draftCardCookie(deps: CookieDeps, typed: Record<keyof DraftCard, string>): string {
  const card = {
    name: cutLine(typed.name, maxDisplayName),
    title: cutLine(typed.title, maxLengths.profession),
    company: cutLine(typed.company, maxLengths.company),
    accent: accentChoices.some(({ id }) => id === typed.accent) ? typed.accent : "",
    paper: paperChoices.find(({ id }) => id === typed.paper)?.id ?? "",
  };
  const payload = [card, { ...card, company: "" }, { ...card, company: "", title: "" }]
    .map((fitting) => Buffer.from(JSON.stringify(fitting)).toString("base64url"))
    .find((text) => text.length <= maxPayload);
  return payload === undefined
    ? clearDraftCard(deps)
    : setCookie(deps, signedText(deps.sign, "kept-card", payload), daySeconds);
}

export function clearDraftCard(deps: Pick<CookieDeps, "config">): string {
  return setCookie(deps, "", 0);
}

/** Redirects away from the steps, and deletes the draft card, which they no longer need. */
export async function redirectAndClearDraftCard(context: Context, path: string): Promise<Response> {
  const all = services(context);
  await deleteSignUpDrafts(all.db, requireUser(context).id);
  return redirect(path, { headers: { "set-cookie": clearDraftCard(all) } });
}

/** The user's draft card: from this browser, or else stored before their sign-up in another one. */
export async function findDraftCard(context: Context, request: Request): Promise<DraftCard | undefined> {
  const all = services(context);
  const inBrowser = readDraftCard(all, request.headers.get("cookie"));
  if (inBrowser) return inBrowser;
  const stored = await findSignUpDraft(all.db, requireUser(context).id);
  return stored === undefined ? undefined : draftCardSchema.safeParse(JSON.parse(stored)).data;
}

/** The draft card in a Cookie header as the text that a sign-up stores. */
export function draftCardText(deps: CookieDeps, cookieHeader: string | null): string | undefined {
  const draft = readDraftCard(deps, cookieHeader);
  return draft && JSON.stringify(draft);
}

/** Without the texts, which are published only by a form that showed them. */
export function withoutTexts(draft: DraftCard | undefined): DraftCard | undefined {
  return draft && { ...draft, name: "", title: "", company: "" };
}

/** The design of the card that the steps make. */
export function draftDesign(draft: DraftCard | undefined): CardDesign {
  return draft ? { ...defaultDesign, accent: draft.accent, paper: draft.paper } : defaultDesign;
}

/** The card in a Cookie header; undefined when there is none, or when it isn't ours. */
export function readDraftCard({ config, sign }: CookieDeps, cookieHeader: string | null): DraftCard | undefined {
  const start = `${nameOf(config)}=`;
  const pair = cookieHeader?.split("; ").find((part) => part.startsWith(start));
  const payload = readLastingText(sign, "kept-card", pair?.slice(start.length) ?? "");
  if (payload === undefined) return undefined;
  return draftCardSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
}

function setCookie({ config }: Pick<CookieDeps, "config">, value: string, seconds: number): string {
  return `${nameOf(config)}=${value}; ${hostCookieAttributes(seconds, isSecure(config))}; HttpOnly`;
}

const isSecure = ({ baseUrl }: CookieDeps["config"]) => baseUrl.startsWith("https:");
const nameOf = (config: CookieDeps["config"]) => hostCookieName(cookieName, isSecure(config));

function cutLine(typed: string, maxLength: number): string {
  return shortened(cleanLine(typed.slice(0, 1000)), maxLength);
}
