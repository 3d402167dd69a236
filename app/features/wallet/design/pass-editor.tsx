import { useId, useState } from "react";
import type { ReactNode } from "react";
import { Form, useNavigation, useSubmit } from "react-router";

import { EditorNotice } from "#app/features/live/editor-notice.tsx";
import { PassStatus } from "#app/features/wallet/updates/pass-status.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Toast, useLatestToast } from "#app/ui/components/toast.tsx";
import { EditorTabs, panelProps, useIsWide } from "#app/ui/forms/editor-tabs.tsx";
import type { EditorTab } from "#app/ui/forms/editor-tabs.tsx";
import { LeaveGuard, withNext } from "#app/ui/forms/leave-guard.tsx";
import { ConflictNotice, MergeFields, saveBarClass } from "#app/ui/forms/versioned-form.tsx";

import type { PassEditorPage } from "./design-data.server.ts";
import { usePassForm } from "./form-state.ts";
import type { LibraryControl } from "./form-state.ts";
import { messages } from "./messages.ts";
import { PassSections } from "./pass-sections.tsx";
import { LibrarySection } from "./pickers/library-section.tsx";
import { PassPreview } from "./preview/pass-preview.tsx";
import type { PassSaveResult } from "./pass-save.server.ts";

/** The design of a card's pass with a live preview beside it, as a page. `children` is its header. */
export function PassEditor({ pass, library, received, children }: PassEditorProps) {
  const formId = useId();
  const editing = usePassForm(pass.stored, received);
  const { form, values, isDirty, merge } = editing;
  const [toast, setToast] = useLatestToast(received?.notice);
  const [selectedTab, setSelectedTab] = useState<EditorTab>("edit");
  const [previewedTint, setPreviewedTint] = useState<string>();
  const isWide = useIsWide();
  const navigation = useNavigation();
  const submit = useSubmit();
  const isSaving = navigation.formMethod === "POST" && navigation.formAction === `/cards/${pass.cardId}/pass`;
  const { reload } = library;
  const versions = { version: pass.stored.version, isSaving, onReload: reload, onOtherChange: reload };
  const saveAndOpen = (path: string) => {
    editing.markSent();
    if (form.current) void submit(withNext(form.current, path), { method: "post", replace: true });
  };
  return (
    <>
      <div className={pageClass}>
        {children}
        <EditorTabs label="Digital Pass" panelIds={panelIds} selected={selectedTab} onShow={setSelectedTab} />
        <div
          {...panelProps(panelIds, "edit", isWide)}
          className={`${selectedTab === "edit" ? "grid" : "hidden lg:grid"} min-w-0 grid-cols-1 content-start gap-5 lg:col-start-1`}
        >
          {received?.conflict && (
            <ConflictNotice title={messages.conflict} conflict={received.conflict} {...{ formId, isSaving }} />
          )}
          <EditorNotice record="pass" cardId={pass.cardId} {...versions} />
          <Form
            ref={form}
            id={formId}
            method="post"
            replace
            preventScrollReset
            noValidate
            className="grid grid-cols-1 gap-5"
            onSubmit={(event) => (isSaving ? event.preventDefault() : editing.markSent())}
          >
            <MergeFields {...merge} />
            <PassSections
              pass={pass}
              editing={editing}
              notify={setToast}
              onPreviewTint={setPreviewedTint}
              library={library}
            />
          </Form>
          <PassStatus {...pass} notify={setToast} />
          <LibrarySection cardId={pass.cardId} library={pass.library} search={pass.search} />
        </div>
        <div
          {...panelProps(panelIds, "preview", isWide)}
          className={`${selectedTab === "preview" ? "grid" : "hidden lg:grid"} ${previewClass}`}
        >
          <PassPreview pass={pass} values={previewedTint === undefined ? values : { ...values, tint: previewedTint }} />
        </div>
      </div>
      <SaveBar {...{ formId, isDirty, isSaving }} problem={received?.notice?.text} />
      <LeaveGuard
        isDirty={isDirty}
        isSaving={isSaving}
        text={messages.leave}
        backText={messages.leave}
        backTo="/profile"
        onSave={saveAndOpen}
      />
      <Toast message={toast} />
    </>
  );
}

type PassEditorProps = {
  pass: PassEditorPage;
  library: LibraryControl;
  received: PassSaveResult | undefined;
  children: ReactNode;
};

/** Along the lower edge of the screen while something is unsaved. */
function SaveBar({ formId, isDirty, isSaving, problem }: SaveBarProps) {
  return (
    <div
      data-bar={isDirty || undefined}
      className={isDirty ? `${saveBarClass} sticky bottom-0 z-10` : "mx-auto w-full max-w-[1200px] px-5 pb-5"}
    >
      <p role="status" className={isDirty ? "text-sm sm:text-base" : "sr-only"}>
        {isDirty && (problem ?? messages.unsaved)}
      </p>
      {/* Without script it is always there: nothing else tells what has changed. */}
      <Button
        type="submit"
        form={formId}
        variant="main"
        size="s"
        aria-disabled={isSaving}
        className={`max-sm:w-full ${isDirty ? "" : "hidden! noscript:inline-flex!"}`}
      >
        {isSaving ? "Saving..." : "Save & Update Pass"}
      </Button>
    </div>
  );
}

type SaveBarProps = { formId: string; isDirty: boolean; isSaving: boolean; problem: string | undefined };

const panelIds = { edit: "pass-form", preview: "pass-preview" };
const pageClass =
  "mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-x-16 gap-y-4 px-5 pb-5 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] " +
  "[&_:is(a,button,input,select)]:scroll-mt-20 [&_:is(a,button,input,select)]:scroll-mb-28";
const previewClass = "self-start lg:sticky lg:top-8 lg:col-start-2 lg:row-span-3 lg:row-start-2 noscript:hidden";
