import { Panel } from "#app/ui/panel.tsx";

import { CardField } from "./card-field.tsx";
import type { Editing } from "./editing.ts";
import { LogoField } from "./logo-field.tsx";
import type { Logo } from "./logo-state.ts";
import { messages } from "./messages.ts";

export function ProfessionalSection({ editing, logo }: { editing: Editing; logo: Logo }) {
  return (
    <Panel title="Professional Information">
      <p className="mb-5 text-sm text-muted">{messages.workHint}</p>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <CardField editing={editing} name="profession" label="Profession" autoComplete="off" />
        <CardField editing={editing} name="company" label="Company" autoComplete="organization" />
        <CardField editing={editing} name="position" label="Position" autoComplete="organization-title" />
        {/* No type="number": browsers throw away what they can't read as one, and turn it with the mouse wheel. */}
        <CardField
          editing={editing}
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
