import { LinkRow } from "#app/features/links/link-row.tsx";
import { isAllowedAddress } from "#app/features/links/rules.ts";
import { directionOf } from "#app/ui/direction.ts";
import "#app/ui/public.css";

import { linksAsSaved, printed } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import { PaperCard } from "./paper-card.tsx";

/** The card while it is typed, beside the form. Nothing in it can be followed, and nobody has to hear the form twice. */
export function EditorPreview({ text, displayName }: { text: CardText; displayName: string }) {
  const links = linksAsSaved(text).filter(({ url }) => isAllowedAddress(url));
  return (
    <div inert className="sticky top-8 hidden lg:block">
      <p className="mb-5 text-center text-sm text-muted">As visitors see it</p>
      <div className={`page ${glass}`} data-theme="ink" dir={directionOf(displayName)}>
        <PaperCard card={printed(text, displayName)} as="p" />
        {links.length > 0 && (
          <ul className="rows mt-6.5!">
            {links.map((link) => (
              <LinkRow key={link.id} link={link} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** As wide as a large phone, and a little ink around the paper, as a visitor sees it. */
const glass = "mx-auto w-full max-w-107.5 rounded-[26px] border border-line-strong p-5 pb-6.5";
