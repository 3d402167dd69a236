import { z } from "zod";

import { readLastingText, signedText } from "#app/services/base/signed-token.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";
import type { Services } from "#app/services/http/context.ts";

/** What a user typed into the form at a path before they had to prove who they are. */
export type TypedForm = { userId: string; path: string; fields: Record<string, string> };

const typedForm = z.object({
  userId: z.string(),
  path: z.string(),
  fields: z.record(z.string(), z.string()),
  endsAt: z.number(),
});

const cookieName = "meishi.typed";
const validSeconds = 10 * 60;

type CookieDeps = Pick<Services, "config" | "sign">;

/**
 * The Set-Cookie that carries a form through the proof: signed, for ten minutes, out of the reach of scripts, and in no URL, which logs and
 * the history would keep. Browsers store 4 kB: the caller has checked the lengths.
 */
export function typedCookie(deps: CookieDeps, form: TypedForm, now: number): string {
  const text = JSON.stringify({ ...form, endsAt: now + validSeconds * 1_000 });
  return setCookie(deps, signedText(deps.sign, "typed-form", Buffer.from(text).toString("base64url")), validSeconds);
}

export function clearTyped(deps: Pick<CookieDeps, "config">): string {
  return setCookie(deps, "", 0);
}

type ReadOptions = { cookieHeader: string | null; userId: string; path: string; now: number };

/** What this user typed at this path; undefined when nothing waits, or for too long. */
export function readTyped(
  { config, sign }: CookieDeps,
  { cookieHeader, userId, path, now }: ReadOptions,
): Record<string, string> | undefined {
  const start = `${nameOf(config)}=`;
  const pair = cookieHeader?.split(/; ?/).find((part) => part.startsWith(start));
  const payload = readLastingText(sign, "typed-form", pair?.slice(start.length) ?? "");
  if (payload === undefined) return undefined;
  const form = typedForm.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return form.userId === userId && form.path === path && form.endsAt > now ? form.fields : undefined;
}

function setCookie({ config }: Pick<CookieDeps, "config">, value: string, seconds: number): string {
  return `${nameOf(config)}=${value}; ${hostCookieAttributes(seconds, isSecure(config))}; HttpOnly`;
}

const isSecure = ({ baseUrl }: Services["config"]) => baseUrl.startsWith("https:");
const nameOf = (config: Services["config"]) => hostCookieName(cookieName, isSecure(config));
