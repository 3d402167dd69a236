import { ConflictFrame } from "#app/ui/conflict-frame.tsx";

import { differences } from "./draft.ts";
import type { Edit, Editing, Stored } from "./editing.ts";
import { messages } from "./messages.ts";

/** Two tabs saved one profile. */
export function ConflictNotice({ editing, other, formId, isSaving, dispatch }: ConflictNoticeProps) {
  return (
    <ConflictFrame
      {...messages.conflict}
      rows={differences(editing.draft, other.draft)}
      version={other.version}
      formId={formId}
      isSaving={isSaving}
      otherHref="/profile"
      onTake={() => dispatch({ kind: "take", stored: other })}
    />
  );
}

type ConflictNoticeProps = {
  editing: Editing;
  other: Stored;
  formId: string;
  isSaving: boolean;
  dispatch: (edit: Edit) => void;
};
