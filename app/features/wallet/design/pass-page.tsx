import { data, useFetcher } from "react-router";

import { CardTabs } from "#app/features/cards/card-tabs.tsx";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { isOperator } from "#app/services/auth/sessions/viewer.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { PageHeader } from "#app/ui/components/page.tsx";
import { readNext } from "#app/ui/forms/leave-guard.tsx";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";
import { readVersionedForm } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/pass-page.ts";
import { loadPassEditor } from "./design-data.server.ts";
import type { PassEditorPage } from "./design-data.server.ts";
import { messages } from "./messages.ts";
import { PassEditor } from "./pass-editor.tsx";
import { useLoadedPass } from "./form-state.ts";
import type { LoadedPass } from "./form-state.ts";
import { PassProblem } from "./pass-notice.tsx";
import { readPassForm } from "./pass-form.ts";
import { savePassForm } from "./pass-save.server.ts";
import type { PassSaveResult } from "./pass-save.server.ts";

/** The editor of a pass on a page of its own: for phones, and without script. The card dialog loads its data from here. */
export async function loader({ params, context, url }: Route.LoaderArgs): Promise<PassEditorPage> {
  const user = requireUser(context);
  const { id } = user;
  const profile = await loadOwnProfile(context);
  const all = services(context);
  const loaded = await loadPassEditor(all, { owner: { ...profile, id }, cardId: params.id });
  if (!loaded) throw redirectWithToast("/profile", { title: "Error", text: cardMessages.loadFailed, tone: "error" });
  return { ...loaded, isOperator: isOperator(all.config, user), search: url.searchParams.get("library") ?? "" };
}

/** Keeps the draft when the data can't be loaded again, for example after an upload. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<LoadedPass> {
  const response = await callServerAction(serverLoader);
  return "failure" in response ? { problem: loadFailureTexts[response.failure] } : response.result;
}

export function action({ params, context, request }: Route.ActionArgs) {
  return savePassForm(context, { id: params.id, request });
}

/** Keeps the form as it is when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction, readNext(form));
  // An error status keeps the router from reloading the page's data.
  if ("result" in response) return data<PassSaveResult>(response.result, { status: response.result.saved ? 200 : 422 });
  const { failure } = response;
  const notice = { title: messages.failed, text: failureTexts[failure], tone: "error" } as const;
  return data<PassSaveResult>(readVersionedForm(form, readPassForm(form)).reject({ notice, failure }), { status: 422 });
}

const loadFailureTexts = {
  offline: messages.offlineToLoad,
  "signed-out": messages.signedOutToLoad,
  "too-large": messages.notLoadedText,
  failed: messages.notLoadedText,
};

const failureTexts = {
  offline: messages.offline,
  "signed-out": messages.signedOut,
  "too-large": messages.tooLarge,
  failed: messages.notSaved,
};

export function meta() {
  return [{ title: "Digital Pass | Meishi" }];
}

export default function PassPage({ loaderData, actionData, params }: Route.ComponentProps) {
  // Not by a revalidation: that also loads the layout, whose failure would replace the page.
  const reloading = useFetcher<LoadedPass>();
  const { pass, problem } = useLoadedPass([loaderData, reloading.data]);
  const reload = () => void reloading.load(`/cards/${params.id}/pass`);
  const library = { hasFailed: problem !== "", reload };
  if (!pass)
    return (
      <div className="mx-auto w-full max-w-140 px-5 py-10">
        <PassProblem text={problem} onRetry={reload} />
      </div>
    );
  return (
    <PassEditor key={pass.cardId} pass={pass} library={library} received={actionData}>
      <PageHeader
        title="Digital Pass"
        back={<BackLink to="/cards">Cards</BackLink>}
        tabs={<CardTabs cardId={pass.cardId} current="pass" />}
      />
    </PassEditor>
  );
}
