import { useRef, useState } from "react";
import { Form, useNavigation } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { CardTabs } from "#app/features/cards/card-tabs.tsx";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { cardStyle } from "#app/features/cards/card-style.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { consentTexts } from "#app/features/leads/consent-text.ts";
import { hasServices } from "#app/features/leads/services-data.server.ts";
import { findRetentionMonths } from "#app/features/leads/data.server.ts";
import { findLeadForm, saveLeadForm, saveRetention } from "#app/features/leads/form-data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { ConnectPanel } from "#app/features/sharing/share-page/connect-panel.tsx";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import type { RefusedForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { PageHeader } from "#app/ui/components/page.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { EditorTabs, panelProps, useIsWide } from "#app/ui/forms/editor-tabs.tsx";
import type { EditorTab } from "#app/ui/forms/editor-tabs.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { LeaveGuard } from "#app/ui/forms/leave-guard.tsx";
import { useSettledValue } from "#app/ui/forms/settled-value.ts";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";
import { saveBarClass } from "#app/ui/forms/versioned-form.tsx";
import { readVersion } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/settings-page.ts";
import { SettingsPreview } from "./settings-preview.tsx";
import { checkSettings, readSettingsForm, toSettingsValues } from "./settings-schema.ts";
import type { SettingsValues } from "./settings-schema.ts";
import { SettingsSections } from "./settings-sections.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id: ownerId } = requireUser(context);
  const { db, config } = services(context);
  const profile = await loadOwnProfile(context);
  const card = await findOwnCard(db, { ownerId, id: params.id });
  if (!card) throw redirectWithToast("/profile", { title: "Error", text: cardMessages.loadFailed, tone: "error" });
  const [plan, form, months, passesOn] = await Promise.all([
    findPlan(services(context), ownerId),
    findLeadForm(db, card.id),
    findRetentionMonths(db, ownerId),
    hasServices(db, ownerId),
  ]);
  const path = cardPath(card);
  const url = config.baseUrl + path;
  return {
    cardId: card.id,
    cardName: card.cardName,
    path,
    url,
    code: qrPath(markedUrl(`${url}/connect`, "qr")),
    isPublic: card.isPublic && !card.isPaused,
    theme: cardStyle(card.design, { theme: profile.theme, plan }).theme,
    owner: { displayName: profile.displayName, company: card.company, hasServices: passesOn },
    values: toSettingsValues(form.settings, form.isOn, months),
    isOn: form.isOn,
    received: form.received,
    version: form.version,
  };
}

export async function action(args: Route.ActionArgs) {
  return formAction(args, {
    read: readSentSettings,
    check: checkSettings,
    run: async ({ settings, months }, { all: { db, events, clock }, ownerId, params, values, refuse }) => {
      const { isOn, version } = values;
      const now = clock();
      const change = { ownerId, cardId: params.id, version, isOn, settings, now };
      const result = await saveLeadForm({ db, events }, change);
      if (result.kind === "missing") return refuse({ problem: cardMessages.gone }, 404);
      if (result.kind === "conflict")
        return refuse({ problem: conflictText, values: { ...values, version: result.current.version } }, 409);
      await saveRetention(db, { ownerId, months, now });
      const text = isOn ? "Visitors to this card can send you their details." : "The form is off.";
      return redirectWithToast(`/cards/${params.id}/leads`, { title: "Saved", text, tone: "success" });
    },
    failure: { event: "lead form not saved", unexpected: "Something went wrong on our end. Save again in a moment." },
  });
}

type SettingsRejection = RefusedForm<ReturnType<typeof readSentSettings>, string>;

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<SettingsRejection>({ request, serverAction }, (form, failure) => ({
    values: readSentSettings(form),
    errors: {},
    problem: failureTexts[failure],
  }));
}

/** The settings as typed, and the version that they change. */
function readSentSettings(form: FormFields) {
  return { ...readSettingsForm(form), version: readVersion(form) };
}

const failureTexts: Record<ActionFailure, string> = {
  offline: "You are offline. What you typed is still here. Save again once you are connected.",
  "signed-out": "You are signed out. What you typed is still here. Sign in and save again.",
  "too-large": "This is too long to be sent. Shorten your texts and save again.",
  failed: "Something went wrong on our end. What you typed is still here. Save again in a moment.",
};

const conflictText =
  "These settings were also changed in another tab or on another device. Save again to replace them with what you see here.";

export function meta() {
  return [{ title: "Contact form | Meishi" }];
}

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { owner, theme, version, received } = loaderData;
  const form = useRef<HTMLFormElement>(null);
  const stored = actionData?.values ?? loaderData.values;
  // Of the version that it was typed into: after a save it is stored.
  const [draft, setDraft] = useState<{ version: number; values: SettingsValues }>();
  const typed = draft?.version === version ? draft.values : undefined;
  const values = typed ?? stored;
  const [selectedTab, setSelectedTab] = useState<EditorTab>("edit");
  const isWide = useIsWide();
  const isBusy = useNavigation().formData !== undefined;
  const errors = actionData?.errors ?? {};
  const hasErrors = Object.keys(errors).length > 0;
  const notice = useRef<HTMLDivElement>(null);
  // The button that was pressed may be far below it.
  useFocusFirstError(form, actionData, () => notice.current?.scrollIntoView({ block: "center" }));
  const isDirty = actionData !== undefined || JSON.stringify(values) !== JSON.stringify(stored);
  const readTyped = () => form.current && setDraft({ version, values: readSettingsForm(new FormData(form.current)) });
  const texts = consentTexts(
    {
      fields: values.fields,
      hasNewsletter: values.hasNewsletter,
      consentTexts: { answer: values.answerText, newsletter: values.newsletterText },
    },
    { ...owner, months: values.months },
  );
  return (
    <>
      <div className={pageClass}>
        <Header cardId={loaderData.cardId} cardName={loaderData.cardName} received={received} />
        <EditorTabs label="Contact form" panelIds={panelIds} selected={selectedTab} onShow={setSelectedTab} />
        <div
          {...panelProps(panelIds, "edit", isWide)}
          className={`${selectedTab === "edit" ? "grid" : "hidden lg:grid"} min-w-0 grid-cols-1 content-start gap-5`}
        >
          {(actionData?.problem ?? hasErrors) && (
            <div ref={notice}>
              <Notice tone="error" title="Not saved">
                {actionData?.problem ?? "Fix the highlighted fields and save again."}
              </Notice>
            </div>
          )}
          {loaderData.isOn && <Address {...loaderData} />}
          <Form
            // After a save the fields start from what is stored.
            key={`${version} ${actionData?.values.version}`}
            ref={form}
            id={formId}
            method="post"
            noValidate
            preventScrollReset
            onChange={readTyped}
            className="grid gap-5"
          >
            <input type="hidden" name="version" value={actionData?.values.version ?? version} autoComplete="off" />
            <SettingsSections values={stored} errors={errors} texts={texts} hasServices={owner.hasServices} />
          </Form>
          {loaderData.isOn && loaderData.isPublic && <ConnectPanel {...loaderData} />}
        </div>
        <div
          {...panelProps(panelIds, "preview", isWide)}
          className={`${selectedTab === "preview" ? "block" : "hidden lg:block"} ${previewClass}`}
        >
          <SettingsPreview values={values} texts={texts} theme={theme} name={owner.displayName} />
        </div>
      </div>
      <SaveBar isDirty={isDirty} isSaving={isBusy} />
      <LeaveGuard
        isDirty={isDirty}
        isSaving={isBusy}
        text={cardMessages.leaveUnsaved}
        backText={cardMessages.leaveUnsaved}
        backTo={`/cards/edit/${loaderData.cardId}`}
      />
    </>
  );
}

/** The form's button: at the end of the form, and along the lower edge of the screen while something is unsaved. */
function SaveBar({ isDirty, isSaving }: { isDirty: boolean; isSaving: boolean }) {
  const isBar = useSettledValue(isDirty);
  return (
    <div
      data-bar={isBar || undefined}
      className={isBar ? `${saveBarClass} sticky bottom-0 z-10` : "mx-auto w-full max-w-[1200px] px-5"}
    >
      <p role="status" className={isBar ? "text-sm sm:text-base" : "sr-only"}>
        {isBar && cardMessages.unsaved}
      </p>
      <Button type="submit" form={formId} variant="main" size="s" aria-disabled={isSaving} className="max-sm:w-full">
        {isSaving ? "Saving..." : "Save"}
      </Button>
    </div>
  );
}

function Header({ cardId, cardName, received }: { cardId: string; cardName: string; received: number }) {
  return (
    <PageHeader
      title="Contact form"
      back={<BackLink to="/cards">Cards</BackLink>}
      aside={<bdi className="truncate text-muted">{cardName}</bdi>}
      tabs={<CardTabs cardId={cardId} current="form" />}
      intro={
        <>
          Visitors to this card can send you their details.
          {received > 0 && ` Received so far: ${received}.`}
        </>
      }
    />
  );
}

function Address({ cardId, path, isPublic }: { cardId: string; path: string; isPublic: boolean }) {
  if (!isPublic)
    return (
      <Notice tone="warning" title="Visitors can’t open this card">
        The form works again once the card is public.
      </Notice>
    );
  return (
    <div className="flex flex-wrap gap-2.5">
      <ButtonLink size="s" href={`${path}/connect`} target="_blank">
        Open the form
      </ButtonLink>
      <ButtonLink size="s" href={`/cards/${cardId}/kiosk`}>
        Kiosk mode
      </ButtonLink>
    </div>
  );
}

const formId = "lead-form";
const panelIds = { edit: "leads-form", preview: "leads-preview" };
const pageClass =
  "mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-x-12 gap-y-5 px-5 pb-5 lg:grid-cols-[minmax(0,560px)_minmax(0,1fr)] " +
  // Focused elements are not hidden behind the tabs or the bar.
  "[&_:is(a,button,input,textarea,select)]:scroll-mt-20 [&_:is(a,button,input,textarea,select)]:scroll-mb-28";
const previewClass =
  "min-w-0 self-start lg:sticky lg:top-8 lg:col-start-2 lg:row-span-2 lg:row-start-2 noscript:hidden";
