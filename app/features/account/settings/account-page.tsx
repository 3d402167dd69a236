import { data } from "react-router";

import { requestOwnConfirmation } from "#app/features/account/data.server.ts";
import { messages, tooManyMailsMessage } from "#app/features/account/messages.ts";
import { readFields } from "#app/features/account/schema.ts";
import { reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { checkSubscription } from "#app/features/billing/data.server.ts";
import { messages as billingMessages } from "#app/features/billing/messages.ts";
import { featureFlags } from "#app/features/shell/feature-flags.ts";
import { formatDate, formatWait } from "#app/services/base/format.ts";
import { requestContext, services, requireUser } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/account-page.ts";
import {
  BillingHistoryPanel,
  DangerZonePanel,
  SignInPanel,
  SubscriptionPanel,
  UnconfirmedNotice,
} from "./account-panels.tsx";
import type { SubscriptionSummary } from "./account-panels.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const user = requireUser(context);
  const { mail } = services(context);
  return {
    email: user.email,
    isConfirmed: user.isConfirmed,
    canMail: mail.isConfigured,
    subscription: await findSubscription(context, user.id),
    canPay: featureFlags.payments,
  };
}

export function meta() {
  return [{ title: "Account | Meishi" }];
}

/** The result of a button on this page; `problem` is shown in the button's panel. */
type AccountActionResult = { intent: "check" | "resend"; problem?: { title: string; text?: string } };

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireUser(context);
  const { intent } = await readFields(request);
  if (intent === "resend") return resendOwnConfirmation(context, user);
  if (intent !== "check") throw data(null, { status: 400 });
  if (await findSubscription(context, user.id)) return data<AccountActionResult>({ intent });
  return data<AccountActionResult>({ intent, problem: { title: billingMessages.statusFailed } }, 503);
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isConfirmed, canMail, subscription, canPay } = loaderData;
  const problemOf = (intent: AccountActionResult["intent"]) =>
    actionData?.intent === intent ? actionData.problem : undefined;
  return (
    <div className="mx-auto grid w-full max-w-140 gap-5 px-5 pt-8 sm:max-w-160 sm:pt-12">
      <h1 className="heading mb-1 text-xl">Account</h1>
      {!isConfirmed && <UnconfirmedNotice email={email} canMail={canMail} problem={problemOf("resend")} />}
      <SubscriptionPanel
        status={subscription}
        isChecked={actionData?.intent === "check" && !actionData.problem}
        problem={problemOf("check")?.title ?? (subscription ? undefined : billingMessages.statusFailed)}
      />
      <BillingHistoryPanel canPay={canPay} />
      <SignInPanel email={email} isConfirmed={isConfirmed} canMail={canMail} />
      <DangerZonePanel />
    </div>
  );
}

type Context = Route.LoaderArgs["context"];

/** Undefined when it can't be read: the rest of the page is shown all the same. */
async function findSubscription(context: Context, ownerId: string): Promise<SubscriptionSummary | undefined> {
  const { db, clock, log } = services(context);
  try {
    const { plan, paidUntil } = await checkSubscription(db, ownerId, clock());
    const renewsOn = paidUntil === null ? undefined : formatDate(paidUntil);
    return { isSubscribed: plan.id !== "free", planName: plan.name, renewsOn };
  } catch (error) {
    log.error({ err: error, id: context.get(requestContext).id }, "a subscription could not be checked");
    return undefined;
  }
}

async function resendOwnConfirmation(context: Context, user: { id: string; email: string }) {
  const all = services(context);
  const { address, id } = context.get(requestContext);
  const failed = (problem: AccountActionResult["problem"], status: number) =>
    data<AccountActionResult>({ intent: "resend", ...(problem && { problem }) }, status);
  if (!all.mail.isConfigured) return failed(messages.noMail, 503);
  try {
    const result = await requestOwnConfirmation(all, { user, address });
    if (result.kind === "rate-limited") {
      logSecurityEvent(all.log, { event: "limit-reached", id, account: user.id, limit: result.limit });
      return failed(tooManyMailsMessage(formatWait(result.until, all.clock())), 429);
    }
    const title = result.kind === "sent" ? messages.resent : messages.confirmedBefore.title;
    return redirectWithToast("/account", { title, tone: result.kind === "sent" ? "success" : "info" });
  } catch (error) {
    const { notice, status } = reportFailure({ services: all, id }, error);
    return failed(notice, status);
  }
}
