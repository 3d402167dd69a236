import { escapeMarkup } from "#app/services/base/plain-text.ts";

import type { Mail } from "./mail.server.ts";

/** A mail with this content, as plain text and as HTML. */
export function letterMail(letter: MailContent, { to, baseUrl }: { to: string; baseUrl: string }): Mail {
  return { to, subject: letter.subject, text: plainText(letter), html: renderMail(letter, baseUrl) };
}

function plainText({ heading, paragraphs, code, action, links = [], notes }: MailContent): string {
  const linkText = ({ label, url }: MailLink) => `${label}:\n${url}`;
  const link = [...(action ? [action] : []), ...links].map(linkText);
  const noteTexts = notes.map((note) => (typeof note === "string" ? note : linkText(note)));
  return [heading, ...paragraphs, ...(code ? [code] : []), ...link, ...noteTexts, "Meishi"].join("\n\n") + "\n";
}

/**
 * Renders an email as HTML, with tables and inline styles because email apps ignore everything else. It loads nothing from a server, so it
 * can't be used to track when it is read.
 */
function renderMail(
  { subject, heading, paragraphs, code, action, links, notes }: MailContent,
  baseUrl: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escapeMarkup(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#efebe1;color:#17181b;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#efebe1;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#fbf9f4;border:1px solid #ddd7c9;border-radius:18px;">
<tr><td style="padding:36px 36px 32px;font-family:${sansFonts};font-size:16px;line-height:1.6;color:#17181b;">
${sealCell}
<h1 style="margin:28px 0 12px;font-family:${serifFonts};font-size:28px;line-height:1.25;font-weight:600;letter-spacing:-0.01em;">${escapeMarkup(heading)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px;">${linkUrls(text)}</p>`).join("\n")}
${code ? renderCode(code) : ""}${action ? renderButton(action) : ""}${(links ?? []).map((link) => `<p style="margin:0 0 12px;">${renderLink(link)}</p>\n`).join("")}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-top:1px solid #ddd7c9;padding-top:16px;font-size:14px;line-height:1.6;color:#67645c;">
${notes.map((note) => `<p style="margin:0 0 8px;">${typeof note === "string" ? linkUrls(note) : renderLink(note)}</p>`).join("\n")}
</td></tr></table>
</td></tr>
</table>
<p style="margin:20px 0 0;font-family:${sansFonts};font-size:12px;color:#67645c;">Sent by Meishi at ${escapeMarkup(new URL(baseUrl).host)}</p>
</td></tr>
</table>
</body>
</html>
`;
}

/** The content of an email, without its format. */
export type MailContent = {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** Shown large, to be typed on a page. */
  code?: string;
  action?: MailLink;
  /** Below the button. */
  links?: MailLink[];
  /** Small print below the button: how long the link is valid, what to do if the email wasn't requested, where to turn it off. */
  notes: (string | MailLink)[];
};

type MailLink = { label: string; url: string };

const sansFonts = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serifFonts = "'Hiragino Mincho ProN','Noto Serif',Georgia,serif";

// A table cell with a letter: an image would have to be loaded or attached.
const sealCell = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td width="34" height="34" align="center" valign="middle" style="width:34px;height:34px;background:#e0412b;border-radius:8px;font-family:${sansFonts};font-size:18px;line-height:34px;font-weight:700;color:#fbf9f4;">M</td>
<td style="padding-left:11px;font-family:${serifFonts};font-size:20px;font-weight:600;color:#17181b;">Meishi</td>
</tr></table>`;

function renderButton({ label, url: address }: MailLink): string {
  const url = escapeMarkup(address);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0;"><tr><td style="background:#17181b;border-radius:12px;">
<a href="${url}" style="display:inline-block;padding:14px 26px;font-weight:600;color:#f7f4ed;text-decoration:none;">${escapeMarkup(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;font-size:14px;color:#67645c;">If the button doesn’t work, copy this link into your browser:<br><a href="${url}" style="color:#67645c;word-break:break-all;">${url}</a></p>
`;
}

function renderLink({ label, url }: MailLink): string {
  return `<a href="${escapeMarkup(url)}" style="color:inherit;">${escapeMarkup(label)}</a>`;
}

function renderCode(code: string): string {
  return `<p style="margin:20px 0;font-size:32px;line-height:1.25;font-weight:700;letter-spacing:0.2em;">${escapeMarkup(code)}</p>
`;
}

export function linkWithToken(baseUrl: string, path: string, token: string): string {
  return `${baseUrl}${path}?${new URLSearchParams({ token })}`;
}

/** 24 -> "24 hours". */
export function formatHours(count: number): string {
  return count === 1 ? "one hour" : `${count} hours`;
}

/** Escapes text and makes its URLs clickable. */
function linkUrls(text: string): string {
  return escapeMarkup(text).replace(
    /https?:\/\/[^\s<]+/g,
    (url) => `<a href="${url}" style="color:inherit;word-break:break-all;">${url}</a>`,
  );
}
