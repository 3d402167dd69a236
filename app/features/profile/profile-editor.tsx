import { useState } from "react";
import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { LeaveGuard } from "#app/ui/leave-guard.tsx";

import { AnswerNotice } from "./answer-notice.tsx";
import { CardsSection } from "./cards-section.tsx";
import { DetailsSection } from "./details-section.tsx";
import { isSameDraft } from "./draft.ts";
import { useEditing } from "./editing-state.ts";
import type { SaveAnswer, Stored } from "./editing.ts";
import { LinksSection } from "./links-section.tsx";
import { messages } from "./messages.ts";
import { PhonePreview } from "./phone-preview.tsx";
import type { PreviewPage } from "./phone-preview.tsx";
import { ThemeSection } from "./theme-section.tsx";
import { UnsavedBar } from "./unsaved-bar.tsx";

/** The editor of the own profile: the form and, live beside it, what visitors will see. `cards` is the list of the owner's cards. */
export function ProfileEditor({ stored, answer, page, origin, cards }: ProfileEditorProps) {
  const { editing, dispatch, form } = useEditing(stored, answer);
  const [isPreviewing, setPreviewing] = useState(false);
  const isSaving = useNavigation().formMethod === "POST";
  const isDirty = !isSameDraft(editing.draft, editing.saved);
  const parts = { editing, dispatch };
  return (
    <div className={keepClear}>
      <div className={layout}>
        <TopLine ownId={page.id} isPreviewing={isPreviewing} onToggle={() => setPreviewing(!isPreviewing)} />
        <div className={`${isPreviewing ? "hidden lg:grid" : "grid"} min-w-0 grid-cols-1 content-start gap-5`}>
          <AnswerNotice {...parts} {...{ answer, formId, isSaving }} />
          <Form id={formId} ref={form} method="post" replace noValidate autoComplete="off" className={sections}>
            <input type="hidden" name="version" value={editing.version} />
            <DetailsSection {...parts} ownId={page.id} origin={origin} />
            <ThemeSection {...parts} allowed={page.themes} />
            <LinksSection {...parts} isFixed={isSaving} />
          </Form>
          <CardsSection {...parts} formId={formId}>
            {cards}
          </CardsSection>
        </div>
        <aside className={`${isPreviewing ? "grid" : "hidden lg:grid"} ${beside}`}>
          <p className="text-center text-sm text-muted">As visitors see it</p>
          <PhonePreview draft={editing.draft} page={page} />
        </aside>
      </div>
      <UnsavedBar {...{ isDirty, isSaving, formId }} />
      <LeaveGuard {...{ isDirty, isSaving }} text={messages.leave} />
    </div>
  );
}

type ProfileEditorProps = {
  stored: Stored;
  answer: SaveAnswer | undefined;
  page: PreviewPage;
  origin: string;
  cards: ReactNode;
};

type TopLineProps = { ownId: string; isPreviewing: boolean; onToggle: () => void };

/** The way back, and on a narrow screen the way between form and preview. */
function TopLine({ ownId, isPreviewing, onToggle }: TopLineProps) {
  return (
    <header>
      <div className="flex min-h-11 items-center justify-between">
        <ButtonLink variant="plain" size="s" href={`/u/${ownId}`} className="-ms-3">
          <span aria-hidden="true">←</span> Back
        </ButtonLink>
        <Button size="s" className="lg:hidden noscript:hidden" onClick={onToggle}>
          {isPreviewing ? "Edit" : "Preview"}
        </Button>
      </div>
      <h1 className="heading mt-4 mb-1 text-xl">Your profile</h1>
    </header>
  );
}

const formId = "profile";
const layout =
  "mx-auto grid w-full max-w-290 grid-cols-1 gap-x-16 gap-y-4 px-5 pt-6 pb-12 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] xl:gap-x-24";
const sections = "grid grid-cols-1 gap-5";
const beside = "gap-4 self-start lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 noscript:hidden";
// What gets the focus is not hidden behind the bar at the lower edge.
const keepClear = "[&_:is(a,button,input,textarea,summary)]:scroll-mb-28";
