import { z } from "zod";

import { readUserAgent } from "./counting/visit-rules.ts";

type RequestHeaders = Record<string, string | string[] | undefined>;

/**
 * Whether the headers look like a person's browser: a `User-Agent` that isn't a bot's, no prefetch and no prerender. Header names in
 * lower case.
 */
export function isFromPerson(headers: RequestHeaders): boolean {
  // Safari's start page loads a "preview".
  const purpose = headers["sec-purpose"] ?? headers["purpose"] ?? headers["x-purpose"] ?? headers["x-moz"];
  if (purpose !== undefined && /prefetch|preview|prerender/i.test(String(purpose))) return false;
  const userAgent = headers["user-agent"];
  return typeof userAgent === "string" && userAgent !== "" && !readUserAgent(userAgent).isBot;
}

type CountableRequest = {
  method: string;
  headers: RequestHeaders;
  /** The signed-in user. */ viewerId?: string | undefined;
};

/** Whether a request counts on a page of `ownerId`: a person's, who isn't the owner, and no HEAD request. */
export function isCounted({ method, headers, viewerId }: CountableRequest, ownerId: string | undefined): boolean {
  return method === "GET" && viewerId !== ownerId && isFromPerson(headers);
}

/** What a public page's script reports when a link is followed. */
export const clickSchema = z.object({
  subject: z
    .string()
    .max(100)
    .regex(/^(?:card|profile):[\w-]+$/),
  target: z.string().min(1).max(100),
});

/** How many visits of one page, and how many clicks and saves on it, are counted for one network in an hour: more come from a program. */
export const countLimit = 300;
