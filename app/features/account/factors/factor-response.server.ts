import { redirect } from "react-router";

import { readFields } from "#app/features/account/schema.ts";
import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { limitFactorChange } from "./factor-data.server.ts";
import { factorMessages as messages, tooManyFactorChangesMessage } from "./factor-messages.ts";
import { maxPasskeyName } from "./factor-rules.ts";

type Context = Parameters<typeof requireUser>[0];

/** What the page shows after a form: new backup codes, or why nothing changed. */
type FactorResult = {
  codes?: string[];
  hasTurnedOn?: boolean;
  notice?: { title: string; text?: string };
  status: number;
  cookies: string[];
};

export const twoStepPath = "/account/two-step";

/** Handles the forms of the page about two-step verification. */
export async function respondToFactorForm({ request, context }: { request: Request; context: Context }) {
  const all = services(context);
  const { auth } = all;
  const { id: userId } = requireUser(context);
  const { address } = context.get(requestContext);
  const origin = { headers: request.headers, address };
  const fields = await readFields(request);
  const limited = await limitFactorChange(all, userId);
  if (limited) {
    return reject(tooManyFactorChangesMessage(formatWait(limited.until, all.clock())), 429);
  }
  const change = { userId, origin };
  switch (fields.intent) {
    case "start-app":
      await auth.startApp(userId);
      return redirect(`${twoStepPath}/app`);
    case "turn-on":
      return showCodes(await auth.turnOnWithPasskeys(change), true);
    case "make-codes": {
      const codes = await auth.makeBackupCodes(change);
      return showCodes(codes && { codes, cookies: [] }, false);
    }
    case "turn-off":
      await auth.turnOff(change);
      return redirectWithToast(twoStepPath, { title: messages.turnedOff, tone: "success" });
    case "untrust":
      await auth.untrustBrowsers({ userId, ...(fields.browser && { id: fields.browser }) });
      return redirectWithToast(twoStepPath, {
        title: fields.browser ? messages.untrusted : messages.untrustedAll,
        tone: "success",
      });
    default:
      return respondToPasskeyForm({ auth, change, fields });
  }
}

type PasskeyForm = {
  auth: ReturnType<typeof services>["auth"];
  change: { userId: string; origin: { headers: Headers; address: string } };
  fields: Record<string, string>;
};

async function respondToPasskeyForm({ auth, change, fields }: PasskeyForm) {
  const { userId } = change;
  const { id = "", name = "" } = fields;
  if (fields.intent === "add-passkey") {
    const result = await auth.addPasskey({ ...change, response: fields.credential ?? "" });
    if (result.kind !== "added")
      return reject(result.kind === "full" ? messages.passkeysFull : messages.passkeyRefused);
    const toast = { title: messages.passkeyAdded, tone: "success" } as const;
    return redirectWithToast(twoStepPath, toast, cookieHeaders(result.cookies));
  }
  if (fields.intent === "rename-passkey") {
    const clean = name.trim().slice(0, maxPasskeyName);
    if (!clean) return reject({ title: messages.passkeyNameRequired });
    await auth.renamePasskey({ userId, id, name: clean });
    return redirectWithToast(twoStepPath, { title: messages.passkeyRenamed, tone: "success" });
  }
  if (fields.intent !== "remove-passkey") return reject({ title: "Unknown form" });
  if ((await auth.removePasskey({ ...change, id })) === "needed") return reject(messages.passkeyNeeded, 409);
  return redirectWithToast(twoStepPath, { title: messages.passkeyRemoved, tone: "success" });
}

/** Without a change, another tab was faster: the page shows what is. */
function showCodes(made: { codes: string[] | undefined; cookies: string[] } | undefined, hasTurnedOn: boolean) {
  if (!made?.codes) return redirect(twoStepPath);
  const result: FactorResult = { codes: made.codes, hasTurnedOn, status: 200, cookies: made.cookies };
  return result;
}

function reject(notice: { title: string; text?: string }, status = 400): FactorResult {
  return { notice, status, cookies: [] };
}
