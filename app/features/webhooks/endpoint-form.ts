import { webhookMessages as messages } from "./messages.ts";
import { maxUrlLength } from "./rules.ts";
import type { WebhookKind } from "./rules.ts";

export type EndpointValues = { url: string; kinds: readonly WebhookKind[] };
export type EndpointErrors = { url?: string; kinds?: string };

/** The endpoint as it is stored, or what is wrong with it. */
export function checkEndpoint(
  { url, kinds }: EndpointValues,
  isSendable: (url: string) => boolean,
): { url: string; kinds: readonly WebhookKind[] } | { errors: EndpointErrors } {
  const parsed = URL.parse(url);
  const problem = url === "" ? messages.urlRequired : parsed ? urlProblem(parsed, isSendable) : messages.urlInvalid;
  const errors = { ...(problem && { url: problem }), ...(kinds.length === 0 && { kinds: messages.kindsRequired }) };
  if (!parsed || Object.keys(errors).length > 0) return { errors };
  return { url: withoutFragment(parsed), kinds };
}

function urlProblem(url: URL, isSendable: (url: string) => boolean): string | undefined {
  if (withoutFragment(url).length > maxUrlLength) return messages.urlTooLong;
  if (isSendable(url.href)) return undefined;
  if (url.protocol === "http:") return messages.urlInsecure;
  if (url.protocol !== "https:") return messages.urlInvalid;
  if (url.username || url.password) return messages.urlUser;
  return url.port === "" ? messages.urlPrivate : messages.urlPort;
}

function withoutFragment(url: URL): string {
  const { href, hash } = url;
  return hash ? href.slice(0, -hash.length) : href;
}
