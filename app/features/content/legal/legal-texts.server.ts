import { LRUCache } from "lru-cache";

import { describeInstallation } from "#app/features/content/installation.server.ts";
import { renderMarkdown } from "#app/features/content/markdown.ts";
import type { RenderedText } from "#app/features/content/markdown.ts";
import type { Services } from "#app/services/http/context.ts";

import { privacyText } from "./privacy-text.ts";
import { termsText } from "./terms-text.ts";

export type LegalText = RenderedText & {
  /** Our default text, and the operator has not been named yet. */
  isUnsigned: boolean;
};

/** The operator's own text, else our default with the operator's name in it. */
export function legalText(
  services: Pick<Services, "config" | "siteContent" | "features">,
  kind: "privacy" | "terms",
): LegalText {
  const { operator, texts } = services.siteContent;
  const own = texts[kind];
  if (own !== undefined) return { ...renderedTexts.memo(own), isUnsigned: false };
  const ours = kind === "privacy" ? privacyText : termsText;
  return {
    ...renderedTexts.memo(ours(describeInstallation(services))),
    isUnsigned: !operator.name || !operator.email,
  };
}

/** Each installation has only a few texts, and rendering a long one takes milliseconds. */
const renderedTexts = new LRUCache<string, RenderedText>({ max: 8, memoMethod: (text) => renderMarkdown(text) });
