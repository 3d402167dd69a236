import { useState } from "react";
import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";

import { Late } from "#app/ui/late.tsx";
import { LeaveGuard } from "#app/ui/leave-guard.tsx";
import { Toast } from "#app/ui/toast.tsx";

import { AdvancedSection } from "./advanced-section.tsx";
import { AnswerNotice } from "./answer-notice.tsx";
import { CardsSection } from "./cards-section.tsx";
import { DetailsSection } from "./details-section.tsx";
import { isSameDraft } from "./draft.ts";
import { EditorTabs, EditorTop, panelOf } from "./editor-top.tsx";
import type { EditorTab } from "./editor-top.tsx";
import { useEditing } from "./editing-state.ts";
import type { SaveAnswer, Stored } from "./editing.ts";
import { LinksSection } from "./links-section.tsx";
import { useIsWide, useNow } from "./local-clock.ts";
import { messages } from "./messages.ts";
import { useStoredFiles } from "./pictures.ts";
import type { StoredFiles } from "./pictures.ts";
import { PhoneFrame } from "./phone-frame.tsx";
import type { PreviewPage } from "./phone-preview.tsx";
import { ThemeSection } from "./theme-section.tsx";
import { UnsavedBar } from "./unsaved-bar.tsx";

/** The editor of the own profile: the form and, live beside it, what visitors will see. `cards` is the list of the owner's cards. */
export function ProfileEditor({ stored, answer, page, files, now, origin, cards }: ProfileEditorProps) {
  const { editing, dispatch, form } = useEditing(stored, answer);
  const [shown, setShown] = useState<EditorTab>("edit");
  const isWide = useIsWide();
  const time = useNow(now);
  const { pictures, toast, isUploading } = useStoredFiles(files);
  const isSaving = useNavigation().formMethod === "POST";
  const isDirty = !isSameDraft(editing.draft, editing.saved);
  const parts = { editing, dispatch };
  return (
    <div className={keepClear}>
      <div className={layout}>
        <EditorTop ownId={page.id} profileUrl={page.profileUrl} />
        <EditorTabs shown={shown} onShow={setShown} />
        <div
          {...panel("edit", isWide)}
          className={`${shown === "edit" ? "grid" : "hidden lg:grid"} min-w-0 grid-cols-1 content-start gap-5`}
        >
          <AnswerNotice {...parts} {...{ answer, formId, isSaving }} />
          <Form id={formId} ref={form} method="post" replace noValidate autoComplete="off" className={sections}>
            <input type="hidden" name="version" value={editing.version} />
            <DetailsSection {...parts} {...{ origin, pictures }} ownId={page.id} />
            <ThemeSection {...parts} allowed={page.themes} />
            <LinksSection {...parts} isFixed={isSaving} canMove={page.canMoveLinks} now={time} />
          </Form>
          <CardsSection {...parts} formId={formId}>
            {cards}
          </CardsSection>
          <AdvancedSection pictures={pictures} ownId={page.id} />
        </div>
        <div {...panel("preview", isWide)} className={`${shown === "preview" ? "grid" : "hidden lg:grid"} ${beside}`}>
          <p className="text-center text-sm text-muted">As visitors will see it</p>
          {(isWide || shown === "preview") && (
            <Late load={loadPreview} waiting={<PhoneFrame />}>
              {({ PhonePreview }) => (
                <PhonePreview draft={editing.draft} page={{ ...page, ...pictures.stored }} now={time} />
              )}
            </Late>
          )}
        </div>
      </div>
      <UnsavedBar {...{ isDirty, isSaving, isUploading, formId }} />
      <LeaveGuard
        isDirty={isDirty || isUploading}
        isSaving={isSaving}
        text={isUploading ? messages.leaveUpload : messages.leave}
      />
      <Toast message={toast} />
    </div>
  );
}

type ProfileEditorProps = {
  stored: Stored;
  answer: SaveAnswer | undefined;
  page: Omit<PreviewPage, keyof StoredFiles>;
  files: StoredFiles;
  /** The server's time in epoch milliseconds. */
  now: number;
  origin: string;
  cards: ReactNode;
};

/** On a wide screen form and preview stand side by side, and are no tabs. */
function panel(tab: EditorTab, isWide: boolean) {
  const id = panelOf[tab];
  if (isWide) return tab === "preview" ? ({ id, role: "complementary", "aria-label": "Preview" } as const) : { id };
  return { id, role: "tabpanel", "aria-labelledby": `${id}-tab` } as const;
}

const loadPreview = () => import("./phone-preview.tsx");

const formId = "profile";
const layout =
  "mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-x-16 gap-y-4 px-5 pt-6 pb-12 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] xl:gap-x-24";
const sections = "grid grid-cols-1 gap-5";
const beside = "gap-4 self-start lg:sticky lg:top-6 lg:col-start-2 lg:row-span-3 lg:row-start-1 noscript:hidden";
// What gets the focus is not hidden behind the bar at the lower edge.
const keepClear =
  "[&_:is(a,button,input,textarea,select,summary)]:scroll-mt-20 [&_:is(a,button,input,textarea,select,summary)]:scroll-mb-28";
