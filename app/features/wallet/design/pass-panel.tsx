import { useEffect, useId, useState } from "react";
import { useFetcher } from "react-router";

import { EditorNotice } from "#app/features/live/editor-notice.tsx";
import { PassStatus } from "#app/features/wallet/updates/pass-status.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Skeleton } from "#app/ui/components/loading.tsx";
import { Toast, useLatestToast } from "#app/ui/components/toast.tsx";
import { ConflictNotice, MergeFields } from "#app/ui/forms/versioned-form.tsx";

import type { PassEditorPage } from "./design-data.server.ts";
import { useLoadedPass, usePassForm } from "./form-state.ts";
import type { LibraryControl, LoadedPass } from "./form-state.ts";
import { messages } from "./messages.ts";
import { PassPreview } from "./preview/pass-preview.tsx";
import type { PassSaveResult } from "./pass-save.server.ts";
import { PassProblem } from "./pass-notice.tsx";
import { PassSections } from "./pass-sections.tsx";

type PassTabProps = { cardId: string; onDirty: (isDirty: boolean) => void };

/** The tab of the card dialog. On a phone it leads to the editor's own page. */
export function PassTabPanel({ cardId, onDirty }: PassTabProps) {
  const { data, load, state } = useFetcher<LoadedPass>();
  const { pass, problem } = useLoadedPass([data]);
  const reload = () => void load(`/cards/${cardId}/pass`);
  // Loaded with the tab, because most visits never open it.
  useEffect(() => void load(`/cards/${cardId}/pass`), [cardId, load]);
  if (pass) return <PassForm pass={pass} onDirty={onDirty} library={{ hasFailed: problem !== "", reload }} />;
  return problem && state === "idle" ? <PassProblem text={problem} onRetry={reload} /> : <PassSkeleton />;
}

type PassFormProps = { pass: PassEditorPage; library: LibraryControl; onDirty: PassTabProps["onDirty"] };

function PassForm({ pass, library, onDirty }: PassFormProps) {
  const formId = useId();
  const saving = useFetcher<PassSaveResult>();
  const editing = usePassForm(pass.stored, saving.data);
  const [toast, setToast] = useLatestToast(saving.data?.saved ?? saving.data?.notice);
  const [previewedTint, setPreviewedTint] = useState<string>();
  const { form, values, isDirty, merge } = editing;
  const isSaving = saving.state !== "idle";
  const conflict = saving.data?.conflict;
  // The dialog asks before it closes on unsaved changes.
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const action = `/cards/${pass.cardId}/pass`;
  return (
    <div className="grid grid-cols-1 gap-5">
      <PassPreview pass={pass} values={previewedTint === undefined ? values : { ...values, tint: previewedTint }} />
      <ButtonLink variant="main" href={action} className="sm:hidden">
        Design this pass
      </ButtonLink>
      {conflict && <ConflictNotice title={messages.conflict} {...{ conflict, formId, isSaving }} />}
      <PassStatus {...pass} notify={setToast} />
      <EditorNotice
        record="pass"
        cardId={pass.cardId}
        version={pass.stored.version}
        isSaving={isSaving}
        onReload={library.reload}
        onOtherChange={library.reload}
      />
      <saving.Form
        ref={form}
        id={formId}
        method="post"
        action={action}
        noValidate
        className="grid grid-cols-1 gap-5 max-sm:hidden"
        onSubmit={(event) => (isSaving ? event.preventDefault() : editing.markSent())}
      >
        <input type="hidden" name="from" value="dialog" autoComplete="off" />
        <MergeFields {...merge} />
        <PassSections
          pass={pass}
          editing={editing}
          notify={setToast}
          onPreviewTint={setPreviewedTint}
          library={library}
        />
        {isDirty && (
          <div className={saveBarClass}>
            <Button type="submit" variant="main" aria-disabled={isSaving} className="w-full">
              {isSaving ? "Saving..." : "Save & Update Pass"}
            </Button>
          </div>
        )}
      </saving.Form>
      {/* Above the button at the dialog's edge. */}
      <div className={isDirty ? "[&>*]:bottom-24!" : ""}>
        <Toast message={toast} />
      </div>
    </div>
  );
}

/** A placeholder in the shape of the switches and the pass. */
export function PassSkeleton() {
  return (
    <div className="grid gap-5" role="status" aria-label="Loading...">
      <Skeleton className="mx-auto h-13 w-full max-w-90" />
      <Skeleton className="mx-auto aspect-[320/448] w-full max-w-80" />
    </div>
  );
}

/** Sticks to the dialog's lower edge. */
const saveBarClass =
  "sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-raised p-5 sm:-bottom-6.5 sm:-mx-6.5 sm:-mb-6.5 sm:px-6.5 animate-rise motion-reduce:animate-none";
