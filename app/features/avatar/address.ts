import { defaultOptions } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** What a face can be had as: a drawing, the drawing with what the seed chose, or pixels. */
export type AvatarForm = "svg" | "json" | "png";

/** "/avatar/ada%20l.svg?flip=true": only what is not as usual is said. */
export function avatarAddress(options: AvatarOptions, form: AvatarForm): string {
  const { seed, ...rest } = options;
  const usual: Record<string, unknown> = defaultOptions(seed);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && String(value) !== String(usual[name])) query.set(name, String(value));
  }
  // Commas may stand in a query, and the address stays readable.
  const said = query.toString().replaceAll("%2C", ",");
  return `/avatar/${encodeURIComponent(seed)}.${form}${said && `?${said}`}`;
}

/** The seed and the form in a path. Undefined for another form, and for a seed that is not percent-encoded UTF-8. */
export function readAvatarPath(pathname: string): { seed: string; form: AvatarForm } | undefined {
  const { seed, form } = /^\/avatar\/(?<seed>[^/]*)\.(?<form>svg|json|png)$/.exec(pathname)?.groups ?? {};
  const decoded = seed === undefined ? undefined : decode(seed);
  return decoded === undefined || !isForm(form) ? undefined : { seed: decoded, form };
}

function isForm(text: string | undefined): text is AvatarForm {
  return text === "svg" || text === "json" || text === "png";
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
