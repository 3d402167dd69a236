import { oneLine } from "#app/services/base/plain-text.ts";

/** The content of an email signature. Empty parts are left out. */
export type Signature = {
  name: string;
  /** Lines below the name: "Head of Research", "Analytical Engines". */
  work: readonly string[];
  /** Phone, mail, website; `href` is a mailto:, tel:, http: or https: URL; with any other scheme the row has no link. */
  rows: readonly { text: string; href: string }[];
  /** The URL of the page with its source mark, and the text of the link. */
  url: string;
  linkText: string;
  /** A hosted PNG or JPEG: absolute URL, size in CSS pixels. */
  image?: { src: string; alt: string; width: number; height: number } | undefined;
  /** For right-to-left scripts. */
  isRightToLeft?: boolean;
};

/**
 * A signature as HTML for mail programs: one table, inline styles, absolute URLs, no classes. Outlook renders with Word, Gmail drops
 * <style>, and dark modes change explicit colors, so the text inherits the program's color.
 */
export function signatureHtml(signature: Signature): string {
  const { image, isRightToLeft } = signature;
  const [near, far] = isRightToLeft ? ["right", "left"] : ["left", "right"];
  const imageCell =
    image &&
    `<td valign="top" style="padding-${far}:16px;vertical-align:top">` +
      linkHtml(signature.url, `<img ${imageAttributes(image)} style="display:block;border:0">`) +
      "</td>";
  const edge = image ? `border-${near}:1px solid #9a9a9a;padding-${near}:16px;` : "";
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${isRightToLeft ? ' dir="rtl"' : ""} ` +
    `style="border-collapse:collapse;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px"><tbody><tr>` +
    `${imageCell ?? ""}<td valign="top" style="${edge}vertical-align:top;word-break:break-word">${signatureLines(signature).join("<br>")}</td>` +
    "</tr></tbody></table>"
  );
}

/** The signature as plain text; lines end in \n. */
export function signatureText(signature: Signature): string {
  const { name, work, rows, url } = signature;
  return [name, ...work, ...rows.map(({ text }) => text), url].map(oneLine).filter(Boolean).join("\n");
}

function signatureLines({ name, work, rows, url, linkText }: Signature): string[] {
  const all = [
    `<b style="font-size:16px;line-height:24px">${escapeHtml(name)}</b>`,
    ...work.map(escapeHtml),
    ...rows.map(({ text, href }) => linkHtml(href, escapeHtml(text))),
    linkHtml(url, escapeHtml(linkText)),
  ];
  return all.filter(Boolean);
}

/** An underlined link in the color of the surrounding text. */
function linkHtml(href: string, content: string): string {
  if (!content || !allowedUrl.test(href)) return content;
  return `<a href="${escapeHtml(href)}" style="color:inherit;text-decoration:underline">${content}</a>`;
}

const allowedUrl = /^(?:https?|mailto|tel):/i;

function imageAttributes({ src, alt, width, height }: NonNullable<Signature["image"]>): string {
  return `src="${escapeHtml(src)}" width="${width}" height="${height}" alt="${escapeHtml(alt)}"`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or attribute, on one line. */
function escapeHtml(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
