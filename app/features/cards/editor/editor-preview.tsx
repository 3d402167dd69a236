import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import "#app/features/sharing/public-page/public-page.css";

import { cleanLine } from "#app/features/cards/card-fields.ts";
import { previewStyle } from "#app/features/cards/card-style.ts";
import { toPreviewCard } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { ContactRows } from "#app/features/cards/public/contact-rows.tsx";
import { cardRules } from "#app/features/cards/public/show-all-field.tsx";
import { cardDirection, toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { BusinessCard } from "#app/features/cards/public/business-card.tsx";

/** The card as typed, beside the form. It is inert, and assistive technology skips it. */
export function EditorPreview({ values, theme, themes, ...images }: EditorPreviewProps) {
  const displayName = cleanLine(values.display_name);
  const input = toPreviewCard(values);
  const style = previewStyle(input.design, { theme, themes });
  const card = toCardViewModel(input, { displayName, style, ...images });
  useInlineStyle(cardRules(card));
  return (
    <div inert>
      <p className="mb-5 text-center text-sm text-muted">As visitors will see it</p>
      <div className={`page accent ${previewClass}`} data-theme={style.theme} dir={cardDirection(card)}>
        <BusinessCard card={card} as="p" />
        <div className="actions">
          <span className="button main">
            <Icon name="user-plus" />
            Save Contact
          </span>
        </div>
        <ContactRows card={card} />
      </div>
    </div>
  );
}

type EditorPreviewProps = {
  values: CardFormValues;
  /** The stored theme of the profile, and those of the plan. */
  theme: string;
  themes: readonly string[];
  logoKey: string | null;
  avatarKey: string | null;
};

/** The size of a large phone even for a short card, with some space around the card as on its page. */
const previewClass =
  "mx-auto w-full max-w-107.5 min-h-[min(44rem,calc(100dvh-8rem))]! rounded-[44px] border border-line-strong p-5 pb-6.5";
