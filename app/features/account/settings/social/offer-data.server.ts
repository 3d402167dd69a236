import { z } from "zod";

import { readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

/** What an account that was just connected is good for. "" for what its provider doesn't say. */
export type ConnectionOffer = z.infer<typeof connectionOffer>;

const connectionOffer = z.object({
  userId: z.string(),
  provider: z.string(),
  name: z.string(),
  picture: z.string(),
  profileUrl: z.string(),
});

const cookieName = "meishi.connected";
const validSeconds = 10 * 60;
/** With its name and attributes, the cookie takes at most 2 kB. */
const maxPayload = 1_600;

type CookieDeps = Pick<Services, "config" | "sign">;
type Connected = {
  userId: string;
  provider: string;
  identity: Pick<ConnectionOffer, "name" | "picture" | "profileUrl">;
};

/** The Set-Cookie that carries the offer to the profile page: signed, in this browser, for ten minutes. */
export function connectionOfferCookie(deps: CookieDeps, { userId, provider, identity }: Connected): string {
  const offer = { userId, provider, ...identity };
  const payload = [offer, { ...offer, picture: "" }]
    .map((fitting) => Buffer.from(JSON.stringify(fitting)).toString("base64url"))
    .find((text) => text.length <= maxPayload);
  return payload === undefined
    ? clearConnectionOffer(deps)
    : setCookie(deps, signedText(deps.sign, "connection-offer", payload), validSeconds);
}

export function clearConnectionOffer(deps: Pick<CookieDeps, "config">): string {
  return setCookie(deps, "", 0);
}

/** The offer in a Cookie header; undefined when there is none, and when it is another user's. */
export function readConnectionOffer(
  { config, sign }: CookieDeps,
  { cookieHeader, userId }: { cookieHeader: string | null; userId: string },
): ConnectionOffer | undefined {
  const start = `${nameOf(config)}=`;
  const pair = cookieHeader?.split(/; ?/).find((part) => part.startsWith(start));
  const payload = readSignedText(sign, "connection-offer", pair?.slice(start.length) ?? "");
  if (payload === undefined) return undefined;
  const offer = connectionOffer.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return offer.userId === userId ? offer : undefined;
}

/** What the profile page shows of the offer. */
export function findOffer(deps: CookieDeps, of: { cookieHeader: string | null; userId: string }) {
  const offer = readConnectionOffer(deps, of);
  return offer && { name: offer.name, picture: offer.picture, profileUrl: offer.profileUrl };
}

function setCookie({ config }: Pick<CookieDeps, "config">, value: string, seconds: number): string {
  return `${nameOf(config)}=${value}; ${hostCookieAttributes(seconds, isSecure(config))}; HttpOnly`;
}

const isSecure = ({ baseUrl }: Services["config"]) => baseUrl.startsWith("https:");
const nameOf = (config: Services["config"]) => hostCookieName(cookieName, isSecure(config));
