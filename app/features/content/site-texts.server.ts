import type { Services } from "#app/services/context.ts";

import { contactAddress } from "./contact-address.server.ts";
import type { Installation } from "./installation.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Rendered } from "./markdown.ts";
import { privacyText } from "./privacy-text.ts";
import { termsText } from "./terms-text.ts";

export type SiteText = Rendered & {
  /** Ours, and nobody has said yet who runs this site. */
  isUnsigned: boolean;
};

/** The operator's own text, else ours with the operator's name in it. */
export function siteText(
  services: Pick<Services, "config" | "content">,
  { kind, ...built }: Built & { kind: "privacy" | "terms" },
): SiteText {
  const { operator, texts } = services.content;
  const own = texts[kind];
  if (own !== undefined) return { ...rendered(own), isUnsigned: false };
  const ours = kind === "privacy" ? privacyText : termsText;
  return { ...rendered(ours(installationOf(services, built))), isUnsigned: !operator.name || !operator.email };
}

type Built = { hasPayments: boolean };

export function installationOf(
  { config, content }: Pick<Services, "config" | "content">,
  { hasPayments }: Built,
): Installation {
  const { baseUrl, s3, smtpUrl } = config;
  return {
    operator: content.operator,
    host: new URL(baseUrl).host,
    hasS3: s3 !== undefined,
    hasMailServer: smtpUrl !== undefined,
    hasContactForm: contactAddress({ config, content }) !== undefined,
    sessionCookie: `${baseUrl.startsWith("https:") ? "__Secure-" : ""}meishi.session_token`,
    hasPayments,
    facts: content.facts,
  };
}

/** The same few texts again and again, and long ones take milliseconds. */
const known = new Map<string, Rendered>();

function rendered(text: string): Rendered {
  const before = known.get(text);
  if (before) return before;
  if (known.size >= 8) known.clear();
  const made = renderMarkdown(text);
  known.set(text, made);
  return made;
}
