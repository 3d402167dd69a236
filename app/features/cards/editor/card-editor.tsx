import { useId, useState } from "react";
import { Form, useNavigation, useRevalidator, useSubmit } from "react-router";

import { isSameForm, readFormValues } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { CardTabs } from "#app/features/cards/card-tabs.tsx";
import { EditorNotice } from "#app/features/live/editor-notice.tsx";
import { ImportSection } from "#app/features/cards/import/import-section.tsx";
import { messages } from "#app/features/cards/messages.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { PageHeader } from "#app/ui/components/page.tsx";
import { Toast, useLatestToast } from "#app/ui/components/toast.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";
import { EditorTabs, panelProps, useIsWide } from "#app/ui/forms/editor-tabs.tsx";
import type { EditorTab } from "#app/ui/forms/editor-tabs.tsx";
import { LeaveGuard, withNext } from "#app/ui/forms/leave-guard.tsx";
import { useSettledValue } from "#app/ui/forms/settled-value.ts";
import {
  ConflictNotice,
  MergeFields,
  saveBarClass,
  useMergedDraft,
  useVersionedForm,
} from "#app/ui/forms/versioned-form.tsx";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { BasicSection, PrivacySection, ProfessionalSection } from "./card-sections.tsx";
import { DesignSection } from "./design-section.tsx";
import type { DesignOffer } from "./design-section.tsx";
import { EditorPreview } from "./editor-preview.tsx";
import type { PreviewedOwner, PreviewedParts } from "./editor-preview.tsx";
import { saveStatus } from "./form-state.ts";
import type { CardFormState, CardRejection } from "./form-state.ts";
import { LinksSection } from "./links-section.tsx";
import { useLogo } from "./logo-field.tsx";
import { OptionalFieldsSection } from "./optional-fields-section.tsx";
import { PublicAddress } from "./public-address.tsx";
import { describeSharedChange } from "#app/features/cards/shared-value-rules.ts";
import type { SharedValues } from "#app/features/cards/shared-value-rules.ts";

/** The form of a card, with a live preview beside it. */
export function CardEditor({ card, tab, received, preview: shown }: CardEditorProps) {
  const formId = useId();
  const editing = useCardForm(card.stored, received);
  const { values, setValues, fill, fillCount, form, merge, isDirty, isSaving } = editing;
  const [toast, setToast] = useLatestToast(received?.notice);
  const [selectedTab, setSelectedTab] = useState<EditorTab>("edit");
  const isWide = useIsWide();

  const preview = (event: React.MouseEvent) => {
    const refusal = isDirty ? messages.previewUnsaved : card.hidden;
    if (!refusal) return;
    event.preventDefault();
    setToast({ ...refusal, tone: "info" });
  };
  const state = { values, rejection: received };
  const cardId = card.stored.version > 0 ? card.id : undefined;
  const logo = useLogo({ cardId, logoKey: card.logoKey, company: values.company, notify: setToast });
  const title = editorTitle(card.stored.version);
  // A new card has no tabs yet, and a form with errors shows all fields.
  const shownTab = cardId && !received?.errors ? tab : undefined;
  return (
    <>
      <div className={pageClass}>
        <EditorHeader title={title} cardId={cardId} tab={tab} onPreview={preview} />
        <EditorTabs label={title} panelIds={panelIds} selected={selectedTab} onShow={setSelectedTab} />
        <div
          {...panelProps(panelIds, "edit", isWide)}
          className={`${selectedTab === "edit" ? "grid" : "hidden lg:grid"} min-w-0 grid-cols-1 content-start gap-5`}
        >
          {cardId && <PublicAddress card={card} notify={setToast} />}
          {!cardId && <ImportSection values={values} maxLinks={card.offer.maxLinks} onFill={fill} />}
          {received?.conflict && (
            <ConflictNotice title={messages.conflict} conflict={received.conflict} {...{ formId, isSaving }} />
          )}
          {cardId && <EditorNotice record="card" cardId={cardId} {...editing.versions} />}
          <Form
            key={fillCount}
            ref={form}
            id={formId}
            method="post"
            // Back leads to the previous page, not to the form of a card that already exists.
            replace
            preventScrollReset={cardId !== undefined}
            noValidate
            className="grid gap-5"
            onInput={({ currentTarget }) => setValues(readFormValues(new FormData(currentTarget)))}
            onSubmit={editing.onSubmit}
          >
            <input type="hidden" name="id" value={card.formId} autoComplete="off" />
            <MergeFields {...merge} />
            <CardSections {...{ card, state, logo, shownTab }} onChange={setValues} />
          </Form>
        </div>
        <div
          {...panelProps(panelIds, "preview", isWide)}
          className={`${selectedTab === "preview" ? "grid" : "hidden lg:grid"} ${previewClass}`}
        >
          <EditorPreview
            {...{ ...card.owner, ...shown, values }}
            path={`/card/${card.id}`}
            themes={card.offer.themes}
            logoKey={logo.logoKey}
          />
        </div>
      </div>
      <SaveBar {...{ formId, isDirty, isSaving, state }} shared={card.shared} stored={card.stored.values} />
      <LeaveGuard
        isDirty={isDirty || logo.isUploading}
        isSaving={isSaving}
        text={logo.isUploading ? messages.leaveUpload : messages.leaveUnsaved}
        backText={messages.leave}
        backTo="/profile"
        onSave={logo.isUploading ? undefined : editing.saveAndOpen}
      />
      <Toast message={toast} />
    </>
  );
}

type CardEditorProps = {
  card: {
    id: string;
    formId: string;
    stored: Versioned<CardFormValues>;
    owner: PreviewedOwner;
    logoKey: string | null;
    /** Which links of the profile a new card starts with. */
    linksTaken: string | undefined;
    offer: DesignOffer;
    /** What other cards have in common with it. */
    shared: SharedValues;
    /** Whether search engines may list the owner's pages. */
    isListed: boolean;
    /** The full public address. */
    cardUrl: string;
    /** Why visitors can't open the card; undefined when they can. */
    hidden: { title: string; text: string } | undefined;
  };
  /** The fields that are shown of a saved card. */
  tab: "edit" | "design";
  received: CardRejection | undefined;
  /** What the preview shows of other features. */
  preview: PreviewedParts;
};

/** All fields are in the page, so that a save sends them; the other tab's are hidden. `shownTab`: undefined shows all. */
function CardSections({ card, state, logo, shownTab, onChange }: CardSectionsProps) {
  const { values } = state;
  return (
    <>
      <div className="grid gap-5" hidden={shownTab === "design"}>
        <BasicSection state={state} />
        <ProfessionalSection state={state} logo={logo} />
        <LinksSection {...{ state, card }} onChange={(links) => onChange({ ...values, links })} />
      </div>
      <div hidden={shownTab === "edit"}>
        <DesignSection state={state} offer={card.offer} stored={card.stored.values.accent} />
      </div>
      <div className="grid gap-5" hidden={shownTab === "design"}>
        <OptionalFieldsSection state={state} onChange={(rows) => onChange({ ...values, ...rows })} />
        <PrivacySection state={state} isListed={card.isListed} />
      </div>
    </>
  );
}

type CardSectionsProps = Pick<CardEditorProps, "card"> & {
  state: CardFormState;
  logo: ReturnType<typeof useLogo>;
  shownTab: CardEditorProps["tab"] | undefined;
  onChange: (values: CardFormValues) => void;
};

/** What is typed. The fields hold their own values: only new fields (another `fillCount`) show other ones. */
function useCardForm(stored: Versioned<CardFormValues>, received: CardRejection | undefined) {
  const [values, setValues] = useState(received?.sent?.values ?? stored.values);
  const [fillCount, setFillCount] = useState(0);
  const navigation = useNavigation();
  const submit = useSubmit();
  const isSaving = navigation.formMethod === "POST" && navigation.formAction?.startsWith("/cards/edit") === true;

  const fill = (filled: CardFormValues) => {
    setValues(filled);
    setFillCount(fillCount + 1);
  };
  const { revalidate } = useRevalidator();
  const drafted = { stored, rejection: received, values, isSame: isSameForm };
  const { base, markSent } = useMergedDraft({ ...drafted, onMerged: fill });
  const versioned = useVersionedForm({
    ...drafted,
    base,
    onTypedEarly: setValues,
    read: readFormValues,
    // A conflict notice or a toast already reports the outcome.
    onNoFieldError: () => undefined,
  });
  const onSubmit = (event: React.SyntheticEvent) => {
    if (isSaving) event.preventDefault();
    else markSent();
  };
  const saveAndOpen = (path: string) => {
    markSent();
    if (versioned.form.current) void submit(withNext(versioned.form.current, path), { method: "post", replace: true });
  };
  const versions = { version: stored.version, isSaving, onReload: () => void revalidate() };
  return { ...versioned, values, setValues, fill, fillCount, isSaving, onSubmit, saveAndOpen, versions };
}

export function editorTitle(version: number): string {
  return version > 0 ? "Edit Business Card" : "Create Business Card";
}

const panelIds = { edit: "card-form", preview: "card-preview" };
const pageClass =
  "mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-x-16 gap-y-4 px-5 pb-5 lg:grid-cols-[minmax(0,35rem)_minmax(0,1fr)] " +
  // Focused elements are not hidden behind the tabs and the bar.
  "[&_:is(a,button,input,textarea,select,summary,fieldset)]:scroll-mt-20 [&_:is(a,button,input,textarea,select,summary)]:scroll-mb-28";
const previewClass = "self-start lg:sticky lg:top-8 lg:col-start-2 lg:row-span-3 lg:row-start-2 noscript:hidden";

/** The editor's title, the way back, and the way to the card's page; `onPreview` may stop the latter. */
function EditorHeader({ title, cardId, tab, onPreview }: EditorHeaderProps) {
  return (
    <PageHeader
      title={title}
      back={<BackLink to="/profile">Back to Profile</BackLink>}
      tabs={cardId && <CardTabs cardId={cardId} current={tab} />}
      aside={
        cardId && (
          <a href={`/card/${cardId}`} target="_blank" onClick={onPreview} className={previewLinkClass}>
            {/* A narrow screen has a tab named Preview. */}
            <span className="lg:hidden">View card</span>
            <span className="max-lg:hidden">Preview</span>
            <Icon name="arrow-up-right" size={16} />
          </a>
        )
      }
    />
  );
}

const previewLinkClass =
  "inline-flex min-h-11 items-center gap-1 font-medium text-muted no-underline hover:text-text print:hidden";

type EditorHeaderProps = {
  title: string;
  /** Of a saved card; undefined while there is none. */
  cardId: string | undefined;
  tab: "edit" | "design";
  onPreview: (event: React.MouseEvent) => void;
};

/** The form's button: at the end of the form, and along the lower edge of the screen while something is unsaved. */
function SaveBar({ formId, isDirty, isSaving, state, ...others }: SaveBarProps) {
  const isBar = useSettledValue(isDirty);
  return (
    // Sticky and not fixed: at the end of the page it leaves room for the footer.
    <div
      data-bar={isBar || undefined}
      className={isBar ? `${saveBarClass} sticky bottom-0 z-10` : "mx-auto w-full max-w-[1200px] px-5"}
    >
      <p role="status" className={isBar ? "text-sm sm:text-base" : "sr-only"}>
        {isBar && saveStatus(state)}
      </p>
      <SharedValuesField {...{ formId, state }} {...others} />
      {/* Not `disabled`: the button would lose the focus. */}
      <Button type="submit" form={formId} variant="main" size="s" aria-disabled={isSaving} className="max-sm:w-full">
        {isSaving ? "Saving..." : "Save Changes"}
      </Button>
    </div>
  );
}

type SaveBarProps = SharedValuesFieldProps & { isDirty: boolean; isSaving: boolean };

/** While a value is changed that other cards have too, and without script as soon as there is one: whether they change with this card. */
function SharedValuesField({ formId, state, shared, stored }: SharedValuesFieldProps) {
  const change = describeSharedChange(shared, { typed: state.values, stored });
  const box = { form: formId, name: "all_cards", defaultChecked: state.values.all_cards };
  if (change) return <CheckboxField label={messages.changeShared(change.names, change.count)} {...box} />;
  if (Object.keys(shared).length === 0) return null;
  return (
    <noscript>
      <CheckboxField label={messages.changeAllShared} {...box} />
    </noscript>
  );
}

type SharedValuesFieldProps = {
  formId: string;
  state: CardFormState;
  shared: SharedValues;
  /** The form as it was stored. */
  stored: CardFormValues;
};
