import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { maxUrlLength, webhookKinds } from "#app/features/webhooks/rules.ts";
import type { WebhookKind } from "#app/features/webhooks/rules.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

/** The form of an endpoint as it was typed. */
export type EndpointValues = { url: string; kinds: readonly WebhookKind[] };
export type EndpointErrors = { url?: string; kinds?: string };

/** Each event has a checkbox of its own name. */
export function readEndpointForm(form: Pick<FormFields, "get" | "has">): EndpointValues {
  const url = form.get("url");
  return {
    url: typeof url === "string" ? url.trim() : "",
    kinds: webhookKinds.filter((kind) => form.has(kind)),
  };
}

/** The values as the form sends them. */
export function endpointFields({ url, kinds }: EndpointValues): Record<string, string> {
  return { url, ...Object.fromEntries(kinds.map((kind) => [kind, "on"])) };
}

/** `isSendable` tells whether messages can go to a URL. The fragment is left out: it is never sent. */
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
