import { timingSafeEqual } from "node:crypto";

import { redirect } from "react-router";
import { z } from "zod";

import { accentChoices } from "#app/features/cards/card-design.ts";
import { cleanLine, maxLengths } from "#app/features/cards/card-fields.ts";
import { maxDisplayName } from "#app/features/profile/rules.ts";
import { shortened } from "#app/services/base/plain-text.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";
import type { Services } from "#app/services/http/context.ts";

/** What a visitor typed into the live demo and keeps. "" for what they left as it was. */
export type KeptCard = z.infer<typeof keptCardSchema>;

const keptCardSchema = z.object({ name: z.string(), title: z.string(), company: z.string(), accent: z.string() });

type CookieDeps = { config: Pick<Services["config"], "baseUrl">; sign: Services["sign"] };

const cookieName = "meishi.kept_card";
const daySeconds = 24 * 60 * 60;
/** With its name and attributes, the cookie takes at most 1 kB. */
const maxPayload = 800;

/**
 * The Set-Cookie that carries the card through the sign-up: for a day, in this browser, out of the reach of scripts, and in no URL. Text that is
 * too long is shortened or left out.
 */
export function keptCardCookie(deps: CookieDeps, typed: KeptCard): string {
  const card = {
    name: cutLine(typed.name, maxDisplayName),
    title: cutLine(typed.title, maxLengths.profession),
    company: cutLine(typed.company, maxLengths.company),
    accent: accentChoices.some(({ id }) => id === typed.accent) ? typed.accent : "",
  };
  const payload = [card, { ...card, company: "" }, { ...card, company: "", title: "" }]
    .map((fitting) => Buffer.from(JSON.stringify(fitting)).toString("base64url"))
    .find((text) => text.length <= maxPayload);
  return payload === undefined
    ? clearKeptCard(deps)
    : setCookie(deps, `${payload}.${deps.sign("kept-card", payload)}`, daySeconds);
}

export function clearKeptCard(deps: Pick<CookieDeps, "config">): string {
  return setCookie(deps, "", 0);
}

/** Leads on from the steps, which need the kept card no more. */
export function redirectAndClearKeptCard(deps: CookieDeps, path: string): Response {
  return redirect(path, { headers: { "set-cookie": clearKeptCard(deps) } });
}

/** The card in a Cookie header; undefined when there is none, or when it isn't ours. */
export function readKeptCard({ config, sign }: CookieDeps, cookieHeader: string | null): KeptCard | undefined {
  const start = `${nameOf(config)}=`;
  const pair = cookieHeader?.split("; ").find((part) => part.startsWith(start));
  const [payload = "", signature = ""] = pair?.slice(start.length).split(".") ?? [];
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign("kept-card", payload))];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return keptCardSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
}

function setCookie({ config }: Pick<CookieDeps, "config">, value: string, seconds: number): string {
  return `${nameOf(config)}=${value}; ${hostCookieAttributes(seconds, isSecure(config))}; HttpOnly`;
}

const isSecure = ({ baseUrl }: CookieDeps["config"]) => baseUrl.startsWith("https:");
const nameOf = (config: CookieDeps["config"]) => hostCookieName(cookieName, isSecure(config));

function cutLine(typed: string, maxLength: number): string {
  return shortened(cleanLine(typed.slice(0, 1000)), maxLength);
}
