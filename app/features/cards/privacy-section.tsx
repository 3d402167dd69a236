import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import { Panel } from "#app/ui/panel.tsx";

import type { Editing } from "./editing.ts";
import { messages } from "./messages.ts";

export function PrivacySection({ editing }: { editing: Editing }) {
  return (
    <Panel title="Privacy Settings">
      <CheckboxField
        name="is_public"
        label={messages.publicLabel}
        hint={messages.publicHint}
        defaultChecked={editing.text.is_public}
      />
    </Panel>
  );
}
