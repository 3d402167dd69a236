import { messages } from "#app/features/cards/messages.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";

import { CardField } from "./card-field.tsx";
import type { CardFormState } from "./form-state.ts";
import { LogoField } from "./logo-field.tsx";
import type { LogoState } from "./logo-field.tsx";

export function BasicSection({ state }: { state: CardFormState }) {
  return (
    <Panel title="Basic Information">
      <div className="grid gap-5">
        <CardField
          state={state}
          name="card_name"
          label="Card Name"
          hint="For your own list of cards. Visitors don't see it."
          required
          autoComplete="off"
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <CardField
            state={state}
            name="email"
            visibilityOf="email"
            label="Email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
          <CardField
            state={state}
            name="phone"
            visibilityOf="phone"
            label="Phone"
            type="tel"
            autoComplete="tel"
            dir="ltr"
          />
        </div>
        <p className="text-sm text-muted">{messages.reachHint}</p>
      </div>
    </Panel>
  );
}

export function ProfessionalSection({ state, logo }: { state: CardFormState; logo: LogoState }) {
  return (
    <Panel title="Professional Information">
      <p className="mb-5 text-sm text-muted">{messages.workHint}</p>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <CardField state={state} name="profession" label="Profession" autoComplete="off" />
        <CardField state={state} name="company" label="Company" autoComplete="organization" />
        <CardField state={state} name="position" label="Position" autoComplete="organization-title" />
        {/* No type="number": browsers discard text that is no number, and change the number with the mouse wheel. */}
        <CardField
          state={state}
          name="years_experience"
          label="Years of Experience"
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <LogoField logo={logo} />
    </Panel>
  );
}

export function PrivacySection({ state }: { state: CardFormState }) {
  return (
    <Panel title="Privacy Settings">
      <CheckboxField
        name="is_public"
        label={messages.publicLabel}
        hint={messages.publicHint}
        defaultChecked={state.values.is_public}
      />
    </Panel>
  );
}
