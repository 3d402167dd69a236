import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Form, useNavigation, useSubmit } from "react-router";

import { useStoredFiles } from "#app/features/profile/files/profile-files.ts";
import type { StoredFiles } from "#app/features/profile/files/profile-files.ts";
import type { ProfileDraft } from "./form-data.ts";
import { messages } from "#app/features/profile/messages.ts";
import { EditorNotice } from "#app/features/live/editor-notice.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice, ToneIcon } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Toast } from "#app/ui/components/toast.tsx";
import { EditorTabs, panelProps, useIsWide } from "#app/ui/forms/editor-tabs.tsx";
import type { EditorTab } from "#app/ui/forms/editor-tabs.tsx";
import { focusFirstError } from "#app/ui/forms/field-focus.ts";
import { LeaveGuard, withNext } from "#app/ui/forms/leave-guard.tsx";
import { ConflictNotice, MergeFields, saveBarClass } from "#app/ui/forms/versioned-form.tsx";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { AdvancedSection } from "./advanced-section.tsx";
import { DetailsSection } from "./details-section.tsx";
import { EditorHeader } from "./editor-header.tsx";
import { previewedThemes, useProfileForm } from "./form-state.ts";
import type { ProfileFormState, ProfileRejection } from "./form-state.ts";
import { LinksSection } from "./links/links-section.tsx";
import { PhonePreview } from "./phone-preview.tsx";
import type { PreviewPage } from "./phone-preview.tsx";
import { ThemeSection } from "./theme-section.tsx";

/** The profile's form with a live preview beside it. `cards` is the list of the owner's cards. */
export function ProfileEditor(props: ProfileEditorProps) {
  const { stored, rejection, page, now, origin, cards, contact } = props;
  const { state, dispatch, form, merge, isDirty, ...live } = useProfileForm(stored, rejection);
  const [selectedTab, setSelectedTab] = useState<EditorTab>("edit");
  const isWide = useIsWide();
  const time = useNow(now);
  const { files, toast, isUploading } = useStoredFiles(props.files);
  const isSaving = useNavigation().formMethod === "POST";
  const submit = useSubmit();
  const saveAndOpen = (path: string) => {
    if (form.current) void submit(withNext(form.current, path), { method: "post", replace: true });
  };
  const parts = { state, dispatch };
  return (
    <div className={scrollMarginClass}>
      <div className={layoutClass}>
        <EditorHeader profileUrl={page.profileUrl} />
        <EditorTabs label="Your profile" panelIds={panelIds} selected={selectedTab} onShow={setSelectedTab} />
        <div
          {...panelProps(panelIds, "edit", isWide)}
          className={`${selectedTab === "edit" ? "grid" : "hidden lg:grid"} min-w-0 grid-cols-1 content-start gap-5`}
        >
          <SaveNotice {...{ rejection, state, formId, isSaving }} />
          <EditorNotice record="profile" isSaving={isSaving} {...live} />
          <Form id={formId} ref={form} method="post" replace noValidate autoComplete="off" className={sectionsClass}>
            <MergeFields {...merge} />
            <LinksSection
              {...parts}
              files={files}
              isFixed={isSaving}
              canMove={page.canMoveLinks}
              maxLinks={props.maxLinks}
              now={time}
              clicks={props.clicks}
            />
            <DetailsSection {...parts} {...{ origin, files }} ownId={page.id} />
            <ThemeSection {...parts} allowed={page.themes} />
          </Form>
          <CardsSection>{cards}</CardsSection>
          <AdvancedSection {...parts} formId={formId} files={files} ownId={page.id} accounts={props.accounts} />
        </div>
        <div
          {...panelProps(panelIds, "preview", isWide)}
          className={`${selectedTab === "preview" ? "grid" : "hidden lg:grid"} ${previewClass}`}
        >
          <p className="text-center text-sm text-muted">What visitors see</p>
          {(isWide || selectedTab === "preview") && (
            <PhonePreview
              draft={state.draft}
              page={{ ...page, ...files.stored, themes: previewedThemes(state, page.themes) }}
              qr={props.qr}
              contact={contact}
              now={time}
            />
          )}
        </div>
      </div>
      <UnsavedBar
        {...{ isDirty, isSaving, isUploading, formId }}
        problemCount={Object.values(state.errors).filter((error) => error !== undefined).length}
        onShowProblem={() => {
          setSelectedTab("edit");
          // The form may have been hidden behind the preview.
          requestAnimationFrame(() => focusFirstError(form.current));
        }}
      />
      <LeaveGuard
        isDirty={isDirty || isUploading}
        isSaving={isSaving}
        text={isUploading ? messages.leaveUpload : messages.leaveUnsaved}
        backText={isUploading ? messages.leaveUpload : messages.leave}
        backTo={new URL(page.profileUrl).pathname}
        onSave={isUploading ? undefined : saveAndOpen}
      />
      <Toast message={toast} />
    </div>
  );
}

type ProfileEditorProps = {
  stored: Versioned<ProfileDraft>;
  rejection: ProfileRejection | undefined;
  page: Omit<PreviewPage, keyof StoredFiles>;
  files: StoredFiles;
  /** On the profile, by the plan. */
  maxLinks: number;
  qr: QrDrawing;
  /** The server's time in epoch milliseconds. */
  now: number;
  origin: string;
  cards: ReactNode;
  /** "12 clicks in 30 days" by link ID; nothing where the plan has no analytics. */
  clicks: Record<string, string> | undefined;
  /** The list of social accounts; nothing without providers. */
  accounts: ReactNode;
  /** The buttons of the public page for the card that it offers; nothing without one. */
  contact: ReactNode;
};

const panelIds = { edit: "profile-form", preview: "profile-preview" };

const formId = "profile";
const layoutClass =
  "mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-x-16 gap-y-4 px-5 pb-12 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] xl:gap-x-24";
const sectionsClass = "grid grid-cols-1 gap-5";
const previewClass = "gap-4 self-start lg:sticky lg:top-6 lg:col-start-2 lg:row-span-3 lg:row-start-2 noscript:hidden";
// Focused elements are not hidden behind the bar at the lower edge.
const scrollMarginClass =
  "[&_:is(a,button,input,textarea,select,summary,fieldset)]:scroll-mt-20 [&_:is(a,button,input,textarea,select,summary)]:scroll-mb-28";

/** Why the last save was rejected; nothing once all marked fields are corrected. */
function SaveNotice({ rejection, state, formId, isSaving }: SaveNoticeProps) {
  if (rejection?.conflict)
    return <ConflictNotice title={messages.conflict} conflict={rejection.conflict} {...{ formId, isSaving }} />;
  const isCorrected = rejection?.errors && Object.values(state.errors).every((error) => error === undefined);
  if (!rejection?.notice || isSaving || isCorrected) return null;
  const signIn = rejection.failure === "signed-out" && (
    <ButtonLink size="s" href="/auth" target="_blank">
      Sign in
    </ButtonLink>
  );
  return (
    <Notice tone="error" title={rejection.notice.title} action={signIn}>
      {rejection.notice.text}
    </Notice>
  );
}

type SaveNoticeProps = {
  rejection: ProfileRejection | undefined;
  state: ProfileFormState;
  formId: string;
  isSaving: boolean;
};

/** The owner's cards. Outside the profile's form, because the list has its own forms. */
function CardsSection({ children }: { children: ReactNode }) {
  return (
    <Panel id="cards" title="Business Cards" className="scroll-mt-20">
      {children}
    </Panel>
  );
}

/** Sticks to the lower edge while there are unsaved changes. Without script it is always there. */
function UnsavedBar({ isDirty, isSaving, isUploading, formId, ...problems }: UnsavedBarProps) {
  const { problemCount, onShowProblem } = problems;
  const save = { type: "submit", form: formId, size: "s", disabled: isSaving || isUploading } as const;
  const button = (
    // Save & Close comes first, because Enter in a field presses the first button.
    <div className="flex flex-row-reverse gap-2.5">
      <Button {...save} variant="main">
        {isSaving ? "Saving..." : isUploading ? "Uploading..." : "Save & Close"}
      </Button>
      {!save.disabled && (
        <Button {...save} name="next" value="/profile">
          Save
        </Button>
      )}
    </div>
  );
  return (
    // Sticky, not fixed, so that it doesn't cover the footer at the end of the page.
    <div aria-live="polite" className="sticky bottom-0 z-10">
      {isDirty ? (
        <div data-bar className={`${saveBarClass} animate-rise motion-reduce:animate-none`}>
          {problemCount > 0 && !isSaving ? (
            <button
              type="button"
              className="inline-flex min-h-11 items-center gap-2 text-sm text-error underline underline-offset-4 sm:text-base"
              onClick={onShowProblem}
            >
              <ToneIcon tone="error" size={18} />
              {messages.needAttention(problemCount)}
            </button>
          ) : (
            <p className="text-sm sm:text-base">{messages.unsaved}</p>
          )}
          {button}
        </div>
      ) : (
        <noscript>
          <div className={saveBarClass}>{button}</div>
        </noscript>
      )}
    </div>
  );
}

type UnsavedBarProps = {
  isDirty: boolean;
  isSaving: boolean;
  /** A save would leave the page and abort the upload. */
  isUploading: boolean;
  formId: string;
  /** How many fields the last save refused that weren't corrected. */
  problemCount: number;
  /** Leads to the first of them. */
  onShowProblem: () => void;
};

/** The server's time in epoch milliseconds, updated every few seconds. It starts at `start`, so the device's clock may be wrong. */
function useNow(start: number): number {
  const [now, setNow] = useState(start);
  useEffect(() => {
    const opened = performance.now();
    const timer = setInterval(() => setNow(start + performance.now() - opened), 5_000);
    return () => clearInterval(timer);
  }, [start]);
  return now;
}
