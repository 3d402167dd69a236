import { Button } from "#app/ui/button.tsx";

import { messages } from "./messages.ts";

/** Stands at the lower edge while something is unsaved. Where no script runs nobody knows that, so the button is always there. */
export function UnsavedBar({ isDirty, isSaving, isUploading, formId }: UnsavedBarProps) {
  const button = (
    <Button type="submit" form={formId} variant="main" size="s" disabled={isSaving || isUploading}>
      {isSaving ? "Saving..." : isUploading ? "Uploading..." : "Save & Close"}
    </Button>
  );
  return (
    // Sticky and not fixed: at the end of the page it makes room for the footer.
    <div aria-live="polite" className="sticky bottom-0 z-10">
      {isDirty ? (
        <div data-bar className={`${look} animate-rise motion-reduce:animate-none`}>
          <p className="text-sm sm:text-base">{messages.unsaved}</p>
          {button}
        </div>
      ) : (
        <noscript>
          <div className={look}>{button}</div>
        </noscript>
      )}
    </div>
  );
}

type UnsavedBarProps = {
  isDirty: boolean;
  isSaving: boolean;
  /** A file is on its way: saving leaves the page, and would break it off. */
  isUploading: boolean;
  formId: string;
};

const look =
  "flex flex-wrap items-center justify-center gap-x-6 gap-y-2 border-t border-line-strong bg-higher " +
  "px-5 pt-3.5 pb-[calc(0.875rem+env(safe-area-inset-bottom))]";
