import { Panel } from "#app/ui/panel.tsx";

import { CardField } from "./card-field.tsx";
import type { Editing } from "./editing.ts";
import { messages } from "./messages.ts";

export function BasicSection({ editing }: { editing: Editing }) {
  return (
    <Panel title="Basic Information">
      <div className="grid gap-5">
        <CardField
          editing={editing}
          name="card_name"
          label="Card Name"
          hint="For your own list of cards. Visitors don't see it."
          required
          autoComplete="off"
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <CardField
            editing={editing}
            name="email"
            placed="email"
            label="Email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
          <CardField
            editing={editing}
            name="phone"
            placed="phone"
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
