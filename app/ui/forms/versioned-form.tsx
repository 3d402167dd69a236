import { useEffect, useEffectEvent, useId, useRef, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { ToneIcon } from "#app/ui/components/notice.tsx";
import { useCloseToast } from "#app/ui/components/toast.tsx";

import { useFocusFirstError } from "./field-focus.ts";
import { mergeValues } from "./merge-values.ts";
import { signedInEvent } from "./submit-in-place.ts";
import { choiceName } from "./versioned-values.ts";
import type { ConflictField, SaveConflict, SaveRejection, Versioned } from "./versioned-values.ts";

/**
 * The editor of a record that several tabs or devices may save. The editor holds `values`, what is typed now; this hook compares them
 * with what is stored, reads what was typed before hydration and moves the focus to what a rejected save reports.
 */
export function useVersionedForm<Values>({
  stored,
  base = stored,
  rejection,
  values,
  onTypedEarly,
  read,
  isSame,
  onNoFieldError,
}: VersionedFormOptions<Values>) {
  const form = useRef<HTMLFormElement>(null);
  useValuesBeforeHydration(form, (fields) => {
    const typed = read(new FormData(fields));
    if (!isSame(typed, values)) onTypedEarly(typed);
  });
  useFocusFirstError(form, rejection, onNoFieldError);
  // "Saved" must not stand beside the reason why the next save was rejected.
  useCloseToast(rejection);
  const isSignedOut = rejection?.failure === "signed-out";
  // A save that was refused because the session had ended is repeated after the sign-in.
  useEffect(() => {
    if (!isSignedOut) return;
    const save = () => form.current?.requestSubmit();
    window.addEventListener(signedInEvent, save);
    return () => window.removeEventListener(signedInEvent, save);
  }, [isSignedOut]);
  return {
    form,
    /** What the hidden fields of the form hold. */
    merge: {
      version: rejection?.sent?.version ?? base.version,
      base: rejection?.base ?? JSON.stringify(base.values),
      conflict: rejection?.conflict,
    },
    isDirty: !isSame(values, stored.values),
  };
}

type VersionedFormOptions<Values> = {
  stored: Versioned<Values>;
  /** What the next save is merged from, by default what is stored: an older version while a field differs from both. */
  base?: Versioned<Values>;
  rejection: SaveRejection<Values> | undefined;
  values: Values;
  /** Called with what was typed before hydration, when that differs from `values`. */
  onTypedEarly: (values: Values) => void;
  read: (form: FormData) => Values;
  /** Whether saving either would store the same record. */
  isSame: (one: Values, other: Values) => boolean;
  /** Called after a rejection that marks no field. */
  onNoFieldError: () => void;
};

/**
 * For an editor that stays open after a save: merges what is typed with each newer version of the record that is loaded, and calls
 * `onMerged` when that changes it. Returns the `base` for `useVersionedForm`; call `markSent` when the form is submitted.
 */
export function useMergedDraft<Values extends object>({
  stored,
  rejection,
  values,
  isSame,
  onMerged,
}: Pick<VersionedFormOptions<Values>, "stored" | "rejection" | "values" | "isSame"> & {
  onMerged: (values: Values) => void;
}) {
  const [opened, setOpened] = useState(stored);
  const [base, setBase] = useState(stored);
  const [sent, setSent] = useState<Values>();
  const [seen, setSeen] = useState(rejection);
  if (rejection !== seen) {
    setSeen(rejection);
    // What was rejected is unsaved still. Remembered here, because the router drops the rejection when it loads a newer version.
    if (rejection) setSent(undefined);
  } else if (stored.version !== opened.version) {
    setOpened(stored);
    setSent(undefined);
    // A save may have been merged with changes from elsewhere: the form continues from the result.
    const next = mergeValues({ base: sent ?? opened.values, mine: values, other: stored.values });
    // The next save asks about fields that were changed in both places.
    if (next.conflicts.length === 0) setBase(stored);
    if (!isSame(next.values, values)) onMerged(next.values);
  }
  return { base, markSent: () => setSent(values) };
}

/** What the server needs to merge this form with a newer version of the record. Inside the form. */
export function MergeFields({
  version,
  base,
  conflict,
}: {
  version: number;
  base: string;
  conflict?: SaveConflict | undefined;
}) {
  return (
    <>
      <input type="hidden" name="version" value={version} autoComplete="off" />
      <input type="hidden" name="base" value={base} autoComplete="off" />
      {conflict && <input type="hidden" name="replaces" value={conflict.version} autoComplete="off" />}
    </>
  );
}

/** Fields that another tab or device changed too: shows both values of each, and the owner chooses. Gets the focus when it appears. */
export function ConflictNotice({ title, conflict, formId, isSaving = false }: ConflictProps) {
  const id = useId();
  const notice = useRef<HTMLElement>(null);
  const show = useEffectEvent(() => {
    notice.current?.focus({ preventScroll: true });
    notice.current?.scrollIntoView({ block: "start" });
  });
  // Again for the conflict of a later save.
  useEffect(() => {
    if (conflict) show();
  }, [conflict]);
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className={noticeClass}
    >
      <div className={headingClass}>
        <span className="flex h-6 items-center">
          <ToneIcon tone="warning" size={20} />
        </span>
        <h2 id={`${id}-title`} className="font-semibold">
          {title}
        </h2>
      </div>
      <p id={`${id}-text`} className="text-sm text-muted">
        {conflict.fields.length === 1 ? "This field was" : "These fields were"} changed in both places. You won’t lose
        anything: choose what to keep, then save. All other changes are kept.
      </p>
      {conflict.fields.map((field) => (
        <ConflictChoice key={field.path} field={field} formId={formId} />
      ))}
      <Button
        type="submit"
        form={formId}
        size="s"
        variant="main"
        disabled={isSaving}
        className="justify-self-start max-sm:w-full"
      >
        Save with these choices
      </Button>
    </section>
  );
}

type ConflictProps = { title: string; conflict: SaveConflict; formId: string; isSaving?: boolean };

function ConflictChoice({ field: { path, label, mine, other }, formId }: { field: ConflictField; formId: string }) {
  const choices = [
    { choice: "mine", title: "Yours", text: mine },
    { choice: "other", title: "Saved elsewhere", text: other },
  ] as const;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium wrap-anywhere">
        <bdi>{label}</bdi>
      </legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ choice, title, text }) => (
          <label key={choice} className={choiceClass}>
            <input
              type="radio"
              form={formId}
              name={choiceName(path)}
              value={choice}
              autoComplete="off"
              className={radioClass}
            />
            <span className="text-sm text-muted">{title}</span>
            <span dir="auto" className="col-start-2 max-h-36 overflow-y-auto wrap-anywhere whitespace-pre-line">
              {text || "(empty)"}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const noticeClass =
  "grid scroll-mt-20 gap-4 rounded-card border border-line-strong bg-raised p-5 focus-visible:outline-offset-0 lg:scroll-mt-6";
// On a phone it stays below the switch between form and preview.
const headingClass = "sticky top-15 -mx-5 -mt-5 flex gap-3 rounded-t-card bg-raised px-5 pt-5 pb-1 lg:static";
const choiceClass =
  "grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] content-start items-center gap-x-3 gap-y-1 rounded-control border border-line-strong p-3.5 hover:border-muted has-checked:border-text " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-text forced-colors:has-checked:border-[Highlight]";
const radioClass = "size-5 shrink-0 accent-text";

/** The bar along the lower edge of the screen while something is unsaved. */
export const saveBarClass =
  "flex flex-wrap items-center justify-between gap-x-6 gap-y-2 sm:justify-center border-t border-line-strong bg-higher " +
  "px-5 pt-3.5 pb-[calc(0.875rem+env(safe-area-inset-bottom))]";
