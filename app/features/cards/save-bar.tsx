import { Button } from "#app/ui/button.tsx";

import type { SaveAnswer } from "./editing.ts";
import { messages } from "./messages.ts";

/** The form's button: at its end, and along the lower edge of the screen while something is unsaved. */
export function SaveBar({ formId, isDirty, isSaving, answer }: SaveBarProps) {
  return (
    // Sticky and not fixed: at the end of the page it makes room for the footer.
    <div
      data-bar={isDirty || undefined}
      className={isDirty ? `${barLook} sticky bottom-0 z-10` : "mx-auto w-full max-w-[1200px] px-5"}
    >
      <p role="status" className={isDirty ? "text-sm sm:text-base" : "sr-only"}>
        {isDirty && stateOf(answer)}
      </p>
      {/* Not `disabled`: the keyboard would lose its place. */}
      <Button type="submit" form={formId} variant="main" size="s" aria-disabled={isSaving} className="max-sm:w-full">
        {isSaving ? "Saving..." : "Save Changes"}
      </Button>
    </div>
  );
}

type SaveBarProps = { formId: string; isDirty: boolean; isSaving: boolean; answer: SaveAnswer | undefined };

function stateOf(answer: SaveAnswer | undefined): string {
  if (!answer) return messages.unsaved;
  if (answer.errors) return messages.refused;
  return answer.other ? messages.undecided : messages.notSaved;
}

const barLook =
  "flex flex-wrap items-center justify-center gap-x-6 gap-y-2 border-t border-line-strong bg-higher " +
  "px-5 pt-3.5 pb-[calc(0.875rem+env(safe-area-inset-bottom))]";
