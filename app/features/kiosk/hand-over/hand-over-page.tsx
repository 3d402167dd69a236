import { data, redirect } from "react-router";

import { findOwnCard } from "#app/features/cards/data.server.ts";
import { messages as cardMessages } from "#app/features/cards/messages.ts";
import { createDevice, encryptForm } from "#app/features/kiosk/device-data.server.ts";
import { findFormState } from "#app/features/kiosk/kiosk-form-data.server.ts";
import { handOverMessages as messages, kioskMessages } from "#app/features/kiosk/messages.ts";
import { FormStateNotice } from "#app/features/kiosk/form-state-notice.tsx";
import { handedOverName, isPin, maxDevices } from "#app/features/kiosk/rules.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { clearStorage } from "#app/services/http/cookies.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/hand-over-page.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id: ownerId } = requireUser(context);
  const all = services(context);
  await requireOwnCard(all, { ownerId, id: params.id });
  return {
    cardId: params.id,
    state: await findFormState(all, params.id),
    hasPassword: (await all.auth.findPasswordTime(ownerId)) !== undefined,
  };
}

async function requireOwnCard({ db }: Pick<Services, "db">, of: { ownerId: string; id: string }): Promise<void> {
  if (await findOwnCard(db, of)) return;
  throw redirectWithToast("/profile", { title: "Error", text: cardMessages.loadFailed, tone: "error" });
}

type HandOverResult = { pinError: string } | { problem: string };

/** Also the target of a button elsewhere: with a password no PIN is needed, so that one press hands the phone over. */
export async function action(args: Route.ActionArgs) {
  const { all, ownerId, params, request, text, origin } = await readSentForm(args);
  const cardId = params.id;
  await requireOwnCard(all, { ownerId, id: cardId });
  const pin = text("pin").trim();
  if (pin === "" && (await all.auth.findPasswordTime(ownerId)) === undefined)
    return data<HandOverResult>({ pinError: messages.pinRequired }, 400);
  if (pin !== "" && !isPin(pin)) return data<HandOverResult>({ pinError: messages.invalidPin }, 400);
  // The page says what is missing.
  if ((await findFormState(all, cardId)) !== "ready") return redirect(`/cards/${cardId}/hand-over`);
  const name = handedOverName(browserName(request.headers.get("user-agent")));
  const created = await createDevice(all, { ownerId, cardId, name, heading: "", origin });
  if (created.kind === "missing") return data<HandOverResult>({ problem: cardMessages.gone }, 404);
  if (created.kind === "too-many") return data<HandOverResult>({ problem: kioskMessages.tooMany(maxDevices) }, 409);
  const path = `/kiosk/${created.token}`;
  const form = encryptForm(all, ownerId, { path, cardId, deviceId: created.id });
  const cookies = await all.auth.handOver({ userId: ownerId, pin: pin || undefined, form, origin });
  if (!cookies) return data<HandOverResult>({ problem: messages.tryAgain }, 409);
  const headers = new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
  clearStorage(headers, request);
  return redirect(path, { headers });
}

export function meta() {
  return [{ title: `${messages.title} | Meishi` }];
}

export default function HandOverPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cardId, state, hasPassword } = loaderData;
  const problem = actionData && "problem" in actionData ? actionData.problem : undefined;
  const pinError = actionData && "pinError" in actionData ? actionData.pinError : undefined;
  return (
    <Page
      width="form"
      title={messages.title}
      back={<BackLink to={`/share/card/${cardId}`}>Share</BackLink>}
      intro={messages.lead}
    >
      {problem && <Notice tone="error" title={problem} />}
      {state === "ready" ? (
        <Panel title="Lock this phone into the form">
          {/* A document: the form is a page of its own. */}
          <form method="post" noValidate className="grid gap-4">
            <Field
              label={hasPassword ? "PIN (optional)" : "PIN"}
              name="pin"
              error={pinError}
              autoComplete="off"
              inputMode="numeric"
              hint={hasPassword ? messages.pinHint : messages.onlyPinHint}
            />
            <Button variant="main" type="submit" className="sm:justify-self-start">
              {messages.title}
            </Button>
          </form>
        </Panel>
      ) : (
        <FormStateNotice cardId={cardId} state={state} />
      )}
    </Page>
  );
}
