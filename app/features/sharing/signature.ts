import { oneLine } from "#app/services/plain-text.ts";

/** What an e-mail signature says. Whatever is empty is left out. */
export type Signature = {
  name: string;
  /** Below the name, a line each: "Head of Research", "Analytical Engines". */
  work: readonly string[];
  /** Phone, mail, website; `href` is mailto:, tel:, http: or https:, anything else is shown as text alone. */
  rows: readonly { text: string; href: string }[];
  /** The page that it leads to, marked, and what the link says. */
  url: string;
  linkText: string;
  /** A hosted PNG or JPEG; whole address, size in CSS pixels. */
  picture?: { src: string; alt: string; width: number; height: number } | undefined;
  /** Written from right to left. */
  isRightToLeft?: boolean;
};

/**
 * A signature as HTML for mail programs: one table, inline styles, whole addresses, no class and no script. Outlook draws with Word,
 * Gmail drops <style>, and dark modes recolour what has a colour: so the words have none of their own and take the program's.
 */
export function signatureHtml(signature: Signature): string {
  const { picture, isRightToLeft } = signature;
  const [near, far] = isRightToLeft ? ["right", "left"] : ["left", "right"];
  const pictureCell =
    picture &&
    `<td valign="top" style="padding-${far}:16px;vertical-align:top">` +
      link(signature.url, `<img ${pictureAttributes(picture)} style="display:block;border:0">`) +
      "</td>";
  const edge = picture ? `border-${near}:1px solid #9a9a9a;padding-${near}:16px;` : "";
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${isRightToLeft ? ' dir="rtl"' : ""} ` +
    `style="border-collapse:collapse;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px"><tbody><tr>` +
    `${pictureCell ?? ""}<td valign="top" style="${edge}vertical-align:top;word-break:break-word">${lines(signature).join("<br>")}</td>` +
    "</tr></tbody></table>"
  );
}

/** The same for programs and people who write in plain text; lines end in \n. */
export function signatureText(signature: Signature): string {
  const { name, work, rows, url } = signature;
  return [name, ...work, ...rows.map(({ text }) => text), url].map(oneLine).filter(Boolean).join("\n");
}

function lines({ name, work, rows, url, linkText }: Signature): string[] {
  const said = [
    `<b style="font-size:16px;line-height:24px">${escaped(name)}</b>`,
    ...work.map(escaped),
    ...rows.map(({ text, href }) => link(href, escaped(text))),
    link(url, escaped(linkText)),
  ];
  return said.filter(Boolean);
}

/** Underlined and in the colour of the words around it, in light and dark. */
function link(href: string, content: string): string {
  if (!content || !allowedAddress.test(href)) return content;
  return `<a href="${escaped(href)}" style="color:inherit;text-decoration:underline">${content}</a>`;
}

const allowedAddress = /^(?:https?|mailto|tel):/i;

function pictureAttributes({ src, alt, width, height }: NonNullable<Signature["picture"]>): string {
  return `src="${escaped(src)}" width="${width}" height="${height}" alt="${escaped(alt)}"`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** One line that stays inside its element or its attribute. */
function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
}
