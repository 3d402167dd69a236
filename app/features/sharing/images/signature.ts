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
  /** The QR code of the page, and the owner's images where there are any. */
  code: SignatureImage;
  photo?: SignatureImage | undefined;
  logo?: SignatureImage | undefined;
  /** The color of lines, "#6366f1". */
  accent: string;
  /** For right-to-left scripts. */
  isRightToLeft?: boolean;
};

/** A hosted PNG or JPEG, because Outlook shows no WebP: absolute URL, size in CSS pixels. */
export type SignatureImage = { src: string; alt: string; width: number; height: number };

export const signatureDesigns = [
  { id: "code", label: "QR code" },
  { id: "photo", label: "Photo" },
  { id: "logo", label: "Logo" },
  { id: "compact", label: "Compact" },
] as const;

export type SignatureDesign = (typeof signatureDesigns)[number]["id"];

/** Whether the signature has the image of a design. */
export function hasDesign({ photo, logo }: Pick<Signature, "photo" | "logo">, design: SignatureDesign): boolean {
  return (design !== "photo" || photo !== undefined) && (design !== "logo" || logo !== undefined);
}

/** Reads `?design=photo`: the QR code for an unknown design, and for one whose image is missing. */
export function readDesign(text: string | null, signature: Signature): SignatureDesign {
  const design = signatureDesigns.find(({ id }) => id === text)?.id ?? "code";
  return hasDesign(signature, design) ? design : "code";
}

/**
 * A signature as HTML for mail programs: one table, inline styles, absolute URLs, no classes. Outlook renders with Word, Gmail drops
 * <style>, and dark modes change explicit colors, so the text inherits the program's color.
 */
export function signatureHtml(signature: Signature, design: SignatureDesign = "code"): string {
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${signature.isRightToLeft ? ' dir="rtl"' : ""} ` +
    `style="border-collapse:collapse;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:20px"><tbody>` +
    `${designs[design](signature)}</tbody></table>`
  );
}

const designs: Record<SignatureDesign, (signature: Signature) => string> = {
  code: (signature) => besideImage(signature, imageHtml(signature.url, signature.code)),
  photo: (signature) => {
    const { url, photo, logo } = signature;
    const below = logo && imageHtml(url, logo, `margin-top:10px;${logoStyle}`);
    return besideImage(signature, photo && imageHtml(url, photo, "border-radius:50%"), { below, lineWidth: 2 });
  },
  logo: (signature) => {
    const { url, logo, accent } = signature;
    const above = logo ? `<tr>${cell("padding-bottom:10px", imageHtml(url, logo, logoStyle))}</tr>` : "";
    const line = `border-top:2px solid ${accent};padding-top:10px`;
    return `${above}<tr>${cell(line, signatureLines(signature).join("<br>"))}</tr>`;
  },
  compact: (signature) => {
    const lines = [textLines(signature).join(", "), linkLines(signature).join(" · ")].filter(Boolean).join("<br>");
    return `<tr>${cell(lineBefore(signature, 3), lines)}</tr>`;
  },
};

/** An image, a line in the accent's color, and the texts. */
function besideImage(
  signature: Signature,
  image: string | undefined,
  { below = "", lineWidth = 1 }: { below?: string | undefined; lineWidth?: number } = {},
): string {
  const [, far] = sides(signature);
  const texts = signatureLines(signature).join("<br>") + below;
  if (!image) return `<tr>${cell(lineBefore(signature, lineWidth), texts)}</tr>`;
  return `<tr>${cell(`padding-${far}:16px`, image)}${cell(lineBefore(signature, lineWidth), texts)}</tr>`;
}

function lineBefore(signature: Signature, width: number): string {
  const [near] = sides(signature);
  return `border-${near}:${width}px solid ${signature.accent};padding-${near}:${width === 3 ? 12 : 16}px`;
}

const sides = ({ isRightToLeft }: Signature) => (isRightToLeft ? ["right", "left"] : ["left", "right"]);

function cell(style: string, content: string): string {
  return `<td valign="top" style="${style};vertical-align:top;word-break:break-word">${content}</td>`;
}

/** A dark logo stays visible in a dark mail. */
const logoStyle = "padding:4px;border-radius:4px;background-color:#ffffff";

/** The signature as plain text; lines end in \n. */
export function signatureText(signature: Signature): string {
  const { name, work, rows, url } = signature;
  return [name, ...work, ...rows.map(({ text }) => text), url].map(oneLine).filter(Boolean).join("\n");
}

function signatureLines(signature: Signature): string[] {
  return [...textLines(signature), ...linkLines(signature)];
}

function textLines({ name, work }: Signature): string[] {
  return [`<b style="font-size:16px;line-height:24px">${escapeHtml(name)}</b>`, ...work.map(escapeHtml)].filter(
    Boolean,
  );
}

function linkLines({ rows, url, linkText }: Signature): string[] {
  return [
    ...rows.map(({ text, href }) => linkHtml(href, escapeHtml(text))),
    linkHtml(url, escapeHtml(linkText)),
  ].filter(Boolean);
}

/** An underlined link in the color of the surrounding text. */
function linkHtml(href: string, content: string): string {
  if (!content || !allowedUrl.test(href)) return content;
  return `<a href="${escapeHtml(href)}" style="color:inherit;text-decoration:underline">${content}</a>`;
}

const allowedUrl = /^(?:https?|mailto|tel):/i;

function imageHtml(url: string, { src, alt, width, height }: SignatureImage, style = ""): string {
  const image =
    `<img src="${escapeHtml(src)}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" ` +
    `style="display:block;border:0${style && `;${style}`}">`;
  return linkHtml(url, image);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or attribute, on one line. */
function escapeHtml(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
