import { toPreviewCard } from "#app/features/cards/card-form.ts";
import { messages } from "#app/features/cards/messages.ts";
import { isUnreachable } from "#app/features/cards/rules.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";

import { CardField } from "./card-field.tsx";
import { FoldedSection } from "./folded-section.tsx";
import type { CardFormState } from "./form-state.ts";
import { LogoField } from "./logo-field.tsx";
import type { LogoState } from "./logo-field.tsx";

/** What everyone looks for on a card. The name is the one of the owner's profile. */
export function BasicSection({ state }: { state: CardFormState }) {
  const { values } = state;
  return (
    <Panel title="Basic Information">
      <div className="grid gap-5">
        <CardField state={state} name="display_name" hint={messages.nameHint} />
        <div className={twoColumns}>
          <CardField state={state} name="profession" />
          <CardField state={state} name="company" />
        </div>
        <div className={twoColumns}>
          <CardField state={state} name="phone" type="tel" dir="ltr" />
          <CardField state={state} name="email" type="email" autoCapitalize="none" spellCheck={false} dir="ltr" />
        </div>
        <p className="text-sm text-muted">{messages.reachHint}</p>
        {values.is_public && isUnreachable(toPreviewCard(values)) && (
          <Notice tone="warning">{messages.unreachable}</Notice>
        )}
        <CardField state={state} name="card_name" hint="Shown in your list of cards. Visitors don’t see it." required />
      </div>
    </Panel>
  );
}

export function ProfessionalSection({ state, logo }: { state: CardFormState; logo: LogoState }) {
  const { position, years_experience: years } = state.values;
  return (
    <FoldedSection
      title="Professional Information"
      hint="Position, years of experience, logo"
      state={state}
      fields={["position", "years_experience"]}
      isFilled={position !== "" || years !== "" || logo.logoKey !== null}
    >
      <div className={twoColumns}>
        <CardField state={state} name="position" />
        {/* No type="number": browsers discard text that isn't a number, and change the number with the mouse wheel. */}
        <CardField state={state} name="years_experience" hint={messages.yearsHint} inputMode="decimal" />
      </div>
      <LogoField logo={logo} />
    </FoldedSection>
  );
}

/** `isListed` is the owner's choice for their profile, which counts for its cards too. */
export function PrivacySection({ state, isListed }: { state: CardFormState; isListed: boolean }) {
  return (
    <Panel title="Privacy Settings">
      <CheckboxField
        name="is_public"
        label={messages.publicLabel}
        hint={
          <>
            {messages.publicHint}
            <span className="mt-1 block">{isListed ? messages.listedHint : messages.unlistedHint}</span>
          </>
        }
        defaultChecked={state.values.is_public}
      />
    </Panel>
  );
}

const twoColumns = "grid items-start gap-5 sm:grid-cols-2";
