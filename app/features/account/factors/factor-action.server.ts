import { data, redirect } from "react-router";

import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { factorMessages as messages, tooManyFactorChangesMessage } from "./factor-messages.ts";
import { factorLimits, maxPasskeyName } from "./factor-rules.ts";

/** What the page shows after a form: new backup codes, or why nothing changed. */
type FactorResult = { codes?: string[]; hasTurnedOn?: boolean; notice?: { title: string; text?: string } };

const twoStepPath = "/account/two-step";

/** The forms of the page about two-step verification. */
export const factorForms = {
  "start-app": async ({ all, ownerId }: SentForm) => {
    await all.auth.startApp(ownerId);
    return redirect(`${twoStepPath}/app`);
  },
  "turn-on": async ({ all, ownerId: userId, origin }: SentForm) => {
    const { codes, cookies = [] } = (await all.auth.turnOnWithPasskeys({ userId, origin })) ?? {};
    return showCodes({ codes, hasTurnedOn: true }, cookies);
  },
  "make-codes": async ({ all, ownerId: userId, origin }: SentForm) =>
    showCodes({ codes: await all.auth.makeBackupCodes({ userId, origin }), hasTurnedOn: false }),
  "turn-off": async ({ all, ownerId: userId, origin }: SentForm) => {
    await all.auth.turnOff({ userId, origin });
    return succeed(messages.turnedOff);
  },
  untrust: async ({ all, ownerId: userId, text }: SentForm) => {
    const id = text("browser");
    await all.auth.untrustBrowsers({ userId, ...(id && { id }) });
    return succeed(id ? messages.untrusted : messages.untrustedAll);
  },
  "add-passkey": async ({ all, ownerId: userId, origin, text }: SentForm) => {
    const result = await all.auth.addPasskey({ userId, origin, response: text("credential") });
    if (result.kind !== "added")
      return reject(result.kind === "full" ? messages.passkeysFull : messages.passkeyRefused);
    return succeed(messages.passkeyAdded, cookieHeaders(result.cookies));
  },
  "rename-passkey": async ({ all, ownerId: userId, text }: SentForm) => {
    const name = text("name").trim().slice(0, maxPasskeyName);
    if (!name) return reject({ title: messages.passkeyNameRequired });
    await all.auth.renamePasskey({ userId, id: text("id"), name });
    return succeed(messages.passkeyRenamed);
  },
  "remove-passkey": async ({ all, ownerId: userId, origin, text }: SentForm) => {
    const removed = await all.auth.removePasskey({ userId, origin, id: text("id") });
    return removed === "needed" ? reject(messages.passkeyNeeded, 409) : succeed(messages.passkeyRemoved);
  },
};

/** Each change mails the owner. */
export async function refuseFactorChange(sent: SentForm) {
  const wait = await limitForm(sent, factorLimits.factorChangesOfAccount);
  return wait ? reject(tooManyFactorChangesMessage(wait), 429) : undefined;
}

/** Without codes, another tab was faster: the page shows what is. */
function showCodes(
  { codes, hasTurnedOn }: { codes: string[] | undefined; hasTurnedOn: boolean },
  cookies: string[] = [],
) {
  if (!codes) return redirect(twoStepPath);
  return data<FactorResult>({ codes, hasTurnedOn }, { headers: cookieHeaders(cookies) });
}

function succeed(title: string, headers?: Headers) {
  return redirectWithToast(twoStepPath, { title, tone: "success" }, headers);
}

function reject(notice: { title: string; text?: string }, status = 400) {
  return data<FactorResult>({ notice }, { status });
}
