import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import "#app/features/sharing/public-page/public-page.css";

import { cleanLine } from "#app/features/cards/card-fields.ts";
import { previewStyle } from "#app/features/cards/card-style.ts";
import { toPreviewCard } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { cardRules } from "#app/features/cards/public/show-all-field.tsx";
import { cardDirection, toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { CardPageContent } from "#app/features/cards/public/public-card-view.tsx";

/** The page of the card as typed, beside the form; on a wide window in a phone that scrolls. It is inert, and assistive technology skips it. */
export function EditorPreview({
  values,
  path,
  theme,
  themes,
  bio,
  hasBranding,
  hasLeadForm,
  wallets,
  css,
  ...images
}: EditorPreviewProps) {
  const displayName = cleanLine(values.display_name);
  const input = toPreviewCard(values);
  const style = previewStyle(input.design, { theme, themes });
  const visible = toCardViewModel(input, { displayName, style, ...images });
  const card = { ...visible, bio, hasBranding, hasLeadForm, path, profileUrl: "/profile" };
  useInlineStyle(cardRules(card) + css);
  return (
    <div>
      <p className="mb-5 text-center text-sm text-muted">What visitors see</p>
      <div className={bezelClass}>
        {/* Focusable, so that the keyboard can scroll it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={screenClass} role="group" aria-label="Preview of your card" tabIndex={0}>
          <div inert className={`page accent ${previewClass}`} data-theme={style.theme} dir={cardDirection(card)}>
            <CardPageContent card={card} shared={{ url: path, idPrefix: "preview" }} as="p" wallets={wallets} />
          </div>
        </div>
      </div>
    </div>
  );
}

/** The links to its wallet passes, and their styles. */
export type PreviewedParts = { wallets: React.ReactNode; css: string };

type EditorPreviewProps = PreviewedOwner &
  PreviewedParts & {
    values: CardFormValues;
    /** Of the card's page. */
    path: string;
    /** The themes of the plan. */
    themes: readonly string[];
    logoKey: string | null;
  };

/** What the page of a card shows of its owner, as stored. */
export type PreviewedOwner = {
  /** The theme of the profile. */
  theme: string;
  bio: string | null;
  avatarKey: string | null;
  hasBranding: boolean;
  /** Whether visitors of this card can share their details. */
  hasLeadForm: boolean;
};

// A phone as in the profile's editor, never taller than the window; below the tabs of a narrow one the page itself scrolls.
const bezelClass =
  "mx-auto max-w-107.5 overflow-hidden rounded-[44px] border border-line-strong lg:w-fit lg:rounded-[52px] lg:bg-black lg:p-3.5 lg:shadow-card";
const screenClass =
  "focus-visible:outline-offset-2 lg:h-[min(658px,calc(100dvh-14.5rem))] lg:w-[332px] lg:overflow-y-auto lg:rounded-[38px] lg:[scrollbar-width:none]";
/** The width of a phone, with some space around the card as on its page. */
const previewClass = "min-h-[min(44rem,calc(100dvh-8rem))]! p-5 pb-6.5 lg:min-h-full! lg:w-[390px] lg:[zoom:0.85]";
