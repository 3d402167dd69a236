/**
 * A letter on paper with our seal. Tables and inline styles, because mail programs drop everything else; nothing is fetched
 * from anywhere, so that nobody learns when it was read.
 */
export function renderMail({ subject, heading, paragraphs, action, notes }: Letter, baseUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#efebe1;color:#17181b;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#efebe1;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#fbf9f4;border:1px solid #ddd7c9;border-radius:18px;">
<tr><td style="padding:36px 36px 32px;font-family:${sans};font-size:16px;line-height:1.6;color:#17181b;">
${seal}
<h1 style="margin:28px 0 12px;font-family:${serif};font-size:28px;line-height:1.25;font-weight:600;letter-spacing:-0.01em;">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px;">${linked(text)}</p>`).join("\n")}
${action ? button(action) : ""}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="border-top:1px solid #ddd7c9;padding-top:16px;font-size:14px;line-height:1.6;color:#67645c;">
${notes.map((text) => `<p style="margin:0 0 8px;">${escapeHtml(text)}</p>`).join("\n")}
</td></tr></table>
</td></tr>
</table>
<p style="margin:20px 0 0;font-family:${sans};font-size:12px;color:#67645c;">Sent by Meishi at ${escapeHtml(new URL(baseUrl).host)}</p>
</td></tr>
</table>
</body>
</html>
`;
}

/** What a mail says, whatever it is written in. */
export type Letter = {
  subject: string;
  heading: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Below the button, small: how long it holds, what to do when this mail is a surprise. */
  notes: string[];
};

const sans = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "'Hiragino Mincho ProN','Noto Serif',Georgia,serif";

// A cell with a letter: pictures would have to be fetched or attached.
const seal = `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td width="34" height="34" align="center" valign="middle" style="width:34px;height:34px;background:#e0412b;border-radius:8px;font-family:${sans};font-size:18px;line-height:34px;font-weight:700;color:#fbf9f4;">M</td>
<td style="padding-left:11px;font-family:${serif};font-size:20px;font-weight:600;color:#17181b;">Meishi</td>
</tr></table>`;

function button({ label, url: address }: NonNullable<Letter["action"]>): string {
  const url = escapeHtml(address);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:26px 0;"><tr><td style="background:#17181b;border-radius:12px;">
<a href="${url}" style="display:inline-block;padding:14px 26px;font-weight:600;color:#f7f4ed;text-decoration:none;">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;font-size:14px;color:#67645c;">If the button does nothing, copy this address into your browser:<br><a href="${url}" style="color:#67645c;word-break:break-all;">${url}</a></p>
`;
}

/** Escaped, and addresses of ours in it can be followed. */
function linked(text: string): string {
  return escapeHtml(text).replace(
    /https?:\/\/[^\s<]+/g,
    (url) => `<a href="${url}" style="color:#17181b;word-break:break-all;">${url}</a>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
