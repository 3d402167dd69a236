import { defaultOptions } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** An SVG, the SVG with the parts that the seed chose, the SVG as a data URL, or a PNG. */
export type AvatarFormat = "svg" | "json" | "txt" | "png";

/** "/avatar/ada%20l.svg?flip=true": only options that differ from the defaults. */
export function avatarUrl(options: AvatarOptions, format: AvatarFormat): string {
  const { seed, ...rest } = options;
  const defaults: Record<string, unknown> = defaultOptions(seed);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && String(value) !== String(defaults[name])) query.set(name, String(value));
  }
  // Commas are allowed in a query, and keep the URL readable.
  const text = query.toString().replaceAll("%2C", ",");
  return `/avatar/${encodeURIComponent(seed)}.${format}${text && `?${text}`}`;
}

/** The seed and format in a path; undefined for an unknown format, and for a seed that isn't percent-encoded UTF-8. */
export function readAvatarPath(pathname: string): { seed: string; format: AvatarFormat } | undefined {
  const { seed, format } = /^\/avatar\/(?<seed>[^/]*)\.(?<format>svg|json|txt|png)$/.exec(pathname)?.groups ?? {};
  const decoded = seed === undefined ? undefined : decodeSeed(seed);
  return decoded === undefined || !isFormat(format) ? undefined : { seed: decoded, format };
}

function isFormat(text: string | undefined): text is AvatarFormat {
  return text === "svg" || text === "json" || text === "txt" || text === "png";
}

function decodeSeed(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
