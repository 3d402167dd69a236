import type { ReactNode } from "react";

import { Panel } from "#app/ui/panel.tsx";
import { Switch } from "#app/ui/switch.tsx";

import type { Edit, Editing } from "./editing.ts";

/** The owner's cards, and whether their list is on the profile. Stands outside the form it belongs to: the list has forms of its own. */
export function CardsSection({ editing, dispatch, formId, children }: CardsSectionProps) {
  return (
    <Panel title="Business Cards">
      <Switch
        form={formId}
        name="showBusinessCard"
        label="List your cards on your profile page"
        hint="For you alone, to hand one over quickly: visitors never see the list, they open a card by its own address."
        className="mb-4"
        checked={editing.draft.showBusinessCard}
        onChange={(event) => dispatch({ kind: "switch", name: "showBusinessCard", isOn: event.currentTarget.checked })}
      />
      {children}
    </Panel>
  );
}

type CardsSectionProps = { editing: Editing; dispatch: (edit: Edit) => void; formId: string; children: ReactNode };
