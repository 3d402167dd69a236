import { useId, useState } from "react";
import { data, Form, Link, useNavigation } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { canMoveLinks } from "#app/features/billing/rules.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { comparedFields, isSameForm, readFormValues, toFormValues } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { countCards, deriveCardId, listCards } from "#app/features/cards/data.server.ts";
import { ImportSection } from "#app/features/cards/import/import-section.tsx";
import { messages } from "#app/features/cards/messages.ts";
import { findOldest, hiddenReason, isBeyondPlan, newCard, refuseNewCard } from "#app/features/cards/rules.ts";
import { selectCardLinks } from "#app/features/links/tab-rules.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Toast, useLatestToast } from "#app/ui/components/toast.tsx";
import { LeaveGuard } from "#app/ui/forms/leave-guard.tsx";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";
import { ConflictNotice, saveBarClass, useVersionedForm } from "#app/ui/forms/versioned-form.tsx";
import { listDifferences, readVersion } from "#app/ui/forms/versioned-values.ts";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/editor-page.ts";
import { BasicSection, PrivacySection, ProfessionalSection } from "./card-sections.tsx";
import { EditorPreview } from "./editor-preview.tsx";
import { errorNotice } from "./form-state.ts";
import type { CardRejection } from "./form-state.ts";
import { LinksSection } from "./links-section.tsx";
import { useLogo } from "./logo-field.tsx";
import { OptionalFieldsSection } from "./optional-fields-section.tsx";
import { PublicAddress } from "./public-address.tsx";
import { saveCardForm, redirectToPricing } from "./save-card-form.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const owner = requireUser(context);
  const { db, clock, config } = services(context);
  const now = clock();
  const plan = await findPlan(db, owner.id, now);
  const profile = await loadOwnProfile(context);
  const { displayName, avatarKey } = profile;
  if (params.id === undefined) {
    if (refuseNewCard(plan, await countCards(db, owner.id))) throw redirectToPricing();
    const formId = crypto.randomUUID();
    const id = deriveCardId(owner.id, formId);
    const links = selectCardLinks(profile.links, { now, canMoveLinks: canMoveLinks(plan) });
    const fresh = {
      stored: { values: toFormValues(newCard({ ...profile, links })), version: 0 },
      logoKey: null,
      hidden: undefined,
    };
    return { ...fresh, id, formId, displayName, avatarKey, cardUrl: `${config.baseUrl}/card/${id}` };
  }
  const cards = await listCards(db, owner.id);
  const card = cards.find(({ id }) => id === params.id);
  if (!card) throw redirectWithToast("/profile", { title: "Error", text: messages.loadFailed, tone: "error" });
  const { id, version } = card;
  return {
    id,
    formId: id,
    stored: { values: toFormValues(card), version },
    displayName,
    avatarKey,
    logoKey: card.logoKey,
    cardUrl: config.baseUrl + cardPath(card),
    hidden: hiddenReason({ ...card, isBeyondPlan: isBeyondPlan(plan, { isOldest: card === findOldest(cards) }) }),
  };
}

export function action({ params, context, request }: Route.ActionArgs) {
  return saveCardForm(context, { id: params.id, request, ensureProfile: () => loadOwnProfile(context) });
}

/** Keeps the form as it is when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  // An error status keeps the router from reloading the page's data.
  if ("result" in response) return data<CardRejection>(response.result, { status: 422 });
  const reason = response.failure === "signed-out" ? messages.signedOut : messages.offline;
  const sent = { values: readFormValues(form), version: readVersion(form) };
  return data<CardRejection>({ sent, notice: errorNotice(messages.saveFailed(reason)) }, { status: 422 });
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${pageTitle(loaderData?.stored.version ?? 0)} | Meishi` }];
}

export default function CardEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  // Another card gets another form. A card that was just created keeps its form and what is being typed in it.
  return <Editor key={loaderData.id} card={loaderData} received={actionData} />;
}

type EditorProps = { card: Route.ComponentProps["loaderData"]; received: CardRejection | undefined };

function Editor({ card, received }: EditorProps) {
  const formId = useId();
  const [values, setValues] = useState(received?.sent?.values ?? card.stored.values);
  const [toast, setToast] = useLatestToast(received?.notice);
  const [fillCount, setFillCount] = useState(0);
  const navigation = useNavigation();
  const isSaving = navigation.formMethod === "POST" && navigation.formAction?.startsWith("/cards/edit") === true;
  const versioned = useVersionedForm({
    stored: card.stored,
    rejection: received,
    values,
    onTypedEarly: setValues,
    onAccept: setValues,
    read: readFormValues,
    isSame: isSameForm,
    // The conflict notice may be far above the button that was pressed.
    onNoFieldError: () => versioned.form.current?.querySelector<HTMLElement>("[name=replaces]")?.focus(),
  });
  const { form, version, conflict, isDirty, rejection, acceptOther, acceptedVersion } = versioned;

  const preview = (event: React.MouseEvent) => {
    const refusal = isDirty ? messages.previewUnsaved : card.hidden;
    if (!refusal) return;
    event.preventDefault();
    setToast({ ...refusal, tone: "info" });
  };
  // The fields hold their own values: only new fields show other ones.
  const fill = (filled: CardFormValues) => {
    setValues(filled);
    setFillCount(fillCount + 1);
  };
  const state = { values, rejection: received };
  const isSaved = card.stored.version > 0;
  const cardId = isSaved ? card.id : undefined;
  const logo = useLogo({ cardId, logoKey: card.logoKey, company: values.company, notify: setToast });
  return (
    <>
      <div className={pageClass}>
        <div className="grid min-w-0 gap-5">
          <EditorHeader title={pageTitle(card.stored.version)} previewId={cardId} onPreview={preview} />
          {isSaved && <PublicAddress card={card} notify={setToast} />}
          {!isSaved && <ImportSection values={values} onFill={fill} />}
          <Form
            key={`${acceptedVersion}-${fillCount}`}
            ref={form}
            id={formId}
            method="post"
            // Back leads to the page before, not to the form of a card that exists by now.
            replace
            noValidate
            className="grid gap-5"
            onInput={({ currentTarget }) => setValues(readFormValues(new FormData(currentTarget)))}
            onSubmit={(event) => isSaving && event.preventDefault()}
          >
            <input type="hidden" name="id" value={card.formId} autoComplete="off" />
            <input type="hidden" name="version" value={version} autoComplete="off" />
            {conflict && (
              <CardConflict cardId={card.id} mine={values} other={conflict} onAccept={() => acceptOther(conflict)} />
            )}
            <BasicSection state={state} />
            <ProfessionalSection state={state} logo={logo} />
            <LinksSection state={state} onChange={(links) => setValues({ ...values, links })} />
            <OptionalFieldsSection state={state} onChange={(rows) => setValues({ ...values, ...rows })} />
            <PrivacySection state={state} />
          </Form>
        </div>
        <EditorPreview
          values={values}
          displayName={card.displayName}
          avatarKey={card.avatarKey}
          logoKey={logo.logoKey}
        />
      </div>
      <SaveBar {...{ formId, isDirty, isSaving, rejection }} />
      <LeaveGuard isDirty={isDirty || logo.isUploading} isSaving={isSaving} text={messages.leave} />
      <Toast message={toast} />
    </>
  );
}

function pageTitle(version: number): string {
  return version > 0 ? "Edit Business Card" : "Create Business Card";
}

/** Another tab saved this card. Stands inside the form. */
function CardConflict({ cardId, mine, other, onAccept }: CardConflictProps) {
  return (
    <>
      {/* Enter in a field presses the first button of a form, which must not be "Keep mine". */}
      <button hidden />
      <ConflictNotice
        text={messages.conflict}
        differences={listDifferences(comparedFields, { mine, other: other.values })}
        version={other.version}
        otherHref={`/cards/edit/${cardId}`}
        onAccept={onAccept}
      />
    </>
  );
}

type CardConflictProps = {
  cardId: string;
  mine: CardFormValues;
  other: Versioned<CardFormValues>;
  onAccept: () => void;
};

const pageClass =
  "mx-auto grid w-full max-w-[1200px] items-start gap-x-16 px-5 pt-6 pb-5 lg:grid-cols-[minmax(0,560px)_minmax(0,1fr)]";

/** The editor's title, the way back, and the way to the card's page; `onPreview` may stop the latter. */
function EditorHeader({ title, previewId, onPreview }: EditorHeaderProps) {
  return (
    <header className="mb-1 grid gap-2">
      <div className="flex items-center justify-between gap-4">
        <Link to="/profile" className={backLinkClass}>
          <span aria-hidden="true" className="rtl:-scale-x-100">
            ←
          </span>
          Back to Profile
        </Link>
        {previewId && (
          <ButtonLink size="s" href={`/card/${previewId}`} target="_blank" onClick={onPreview}>
            Preview
          </ButtonLink>
        )}
      </div>
      <h1 className="heading text-xl">{title}</h1>
    </header>
  );
}

type EditorHeaderProps = {
  title: string;
  /** Of a saved card; undefined while there is none. */
  previewId: string | undefined;
  onPreview: (event: React.MouseEvent) => void;
};

const backLinkClass =
  "inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted no-underline hover:text-text";

/** The form's button: at the end of the form, and along the lower edge of the screen while something is unsaved. */
function SaveBar({ formId, isDirty, isSaving, rejection }: SaveBarProps) {
  return (
    // Sticky and not fixed: at the end of the page it leaves room for the footer.
    <div
      data-bar={isDirty || undefined}
      className={isDirty ? `${saveBarClass} sticky bottom-0 z-10` : "mx-auto w-full max-w-[1200px] px-5"}
    >
      <p role="status" className={isDirty ? "text-sm sm:text-base" : "sr-only"}>
        {isDirty && saveStatus(rejection)}
      </p>
      {/* Not `disabled`: the button would lose the focus. */}
      <Button type="submit" form={formId} variant="main" size="s" aria-disabled={isSaving} className="max-sm:w-full">
        {isSaving ? "Saving..." : "Save Changes"}
      </Button>
    </div>
  );
}

type SaveBarProps = {
  formId: string;
  isDirty: boolean;
  isSaving: boolean;
  rejection: CardRejection | undefined;
};

function saveStatus(rejection: CardRejection | undefined): string {
  if (!rejection) return messages.unsaved;
  if (rejection.errors) return messages.refused;
  return rejection.conflict ? messages.undecided : messages.notSaved;
}
