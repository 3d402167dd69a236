import { directionOf } from "#app/ui/direction.ts";
import { Icon } from "#app/ui/icon.tsx";
import "#app/ui/public.css";

import { changeOf } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import { ContactRows } from "./contact-rows.tsx";
import { shownContact } from "./contact-shown.ts";
import { PaperCard } from "./paper-card.tsx";

/** The card while it is typed, beside the form. Nothing in it can be followed, and nobody has to hear the form twice. */
export function EditorPreview({ text, ...owner }: EditorPreviewProps) {
  const { displayName } = owner;
  const contact = shownContact(changeOf(text), owner);
  return (
    <div inert className="sticky top-8 hidden lg:block">
      <p className="mb-5 text-center text-sm text-muted">As visitors will see it</p>
      <div className={`page ${glass}`} data-theme="ink" dir={directionOf(displayName)}>
        <PaperCard card={contact} as="p" />
        <div className="actions">
          <span className="button main">
            <Icon name="user-plus" />
            Save Contact
          </span>
        </div>
        <ContactRows contact={contact} />
      </div>
    </div>
  );
}

type EditorPreviewProps = {
  text: CardText;
  displayName: string;
  logoStem: string | null;
  avatarStem: string | null;
};

/** As large as a large phone, however little there is on the card yet, and a little ink around the paper, as a visitor sees it. */
const glass =
  "mx-auto w-full max-w-107.5 min-h-[min(44rem,calc(100dvh-8rem))]! rounded-[44px] border border-line-strong p-5 pb-6.5";
