import { data, useRevalidator } from "react-router";

import { requestOwnConfirmation } from "#app/features/account/data.server.ts";
import { messages, tooManyMailsMessage } from "#app/features/account/messages.ts";
import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";
import { accountFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { messages as billingMessages } from "#app/features/billing/messages.ts";
import { BillingHistoryPanel } from "#app/features/billing/invoices/billing-history-panel.tsx";
import type { InvoiceItem, InvoicePage } from "#app/features/billing/invoices/billing-history-panel.tsx";
import { formatAmount, invoiceAmount, readInvoicePage } from "#app/features/billing/invoices/invoice-rules.ts";
import { listInvoices } from "#app/features/billing/stripe/invoice-data.server.ts";
import type { InvoiceRow } from "#app/features/billing/stripe/invoice-data.server.ts";
import { findOwnSubscription, refreshPayments } from "#app/features/billing/stripe/payment-data.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { useLiveEvents } from "#app/features/live/live-client.ts";
import { formatWait } from "#app/services/base/format.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { useCloseToast } from "#app/ui/components/toast.tsx";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/account-page.ts";
import {
  DangerZonePanel,
  ExportPanel,
  ProgramsPanel,
  SubscriptionPanel,
  UnconfirmedNotice,
} from "./account-panels.tsx";
import type { SubscriptionSummary } from "./account-panels.tsx";
import { accountFailures } from "./settings-messages.ts";
import { SignInPanel } from "./sign-in-panel.tsx";
import { signInForms } from "./sign-in-action.server.ts";
import type { SettingsIntent, SettingsRejection } from "./sign-in-action.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = requireUser(context);
  const { auth, mail, config, db } = services(context);
  // Where everyone has Premium there is nothing to buy or to lose.
  const hasPlans = config.premium !== "everyone";
  const dates = hasPlans ? await findPreferences(db, user.id) : undefined;
  return {
    signIn: {
      email: user.email,
      isConfirmed: user.isConfirmed,
      canMail: mail.isConfigured,
      hasMailBox: hasMailbox(config),
      hasProviders: auth.providers.list.length > 0 || auth.hasWallets,
      canUsePasskeys: auth.canUsePasskeys,
      passwordTime: await auth.findPasswordTime(user.id),
      emailChange: await auth.findEmailChange(user.id),
    },
    hasPlans,
    subscription: dates && (await findSubscription(context, user.id, dates)),
    history:
      dates && (await findHistory(context, { ownerId: user.id, page: readInvoicePage(url.searchParams), dates })),
    canPay: config.premium === "sold",
  };
}

export function meta() {
  return [{ title: "Account | Meishi" }];
}

/** The result of a button on this page; `problem` is shown in the button's panel. */
type AccountActionResult =
  | { intent: "check" | "resend"; problem?: { title: string; text?: string } }
  | SettingsRejection;

export async function action(args: Route.ActionArgs) {
  return intentAction(args, { ...signInForms, resend: resendOwnConfirmation, check: refreshSubscription });
}

/** Keeps what was typed when the server can't be reached. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  const [intent, email] = [readText(form, "intent"), readText(form, "email")];
  if ("result" in response) return withoutReload(response.result);
  const { failure } = response;
  const notice = accountFailures[failure];
  if (isSettingsIntent(intent)) {
    const rejection: SettingsRejection = { values: { intent, email }, errors: {}, problem: notice };
    return data<AccountActionResult>(rejection, { status: 503 });
  }
  return data<AccountActionResult>(
    { intent: intent === "resend" ? "resend" : "check", problem: notice },
    { status: 503 },
  );
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** An error status keeps the router from reloading the page's data. */
function withoutReload(result: AccountActionResult) {
  return "errors" in result || "problem" in result ? data(result, { status: 422 }) : data(result);
}

function isSettingsIntent(intent: string): intent is SettingsIntent {
  return intent === "change-email" || intent === "change-password" || intent === "cancel-email";
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { signIn, subscription, history, canPay, hasPlans } = loaderData;
  const { email, isConfirmed, canMail } = signIn;
  const rejection = actionData && "errors" in actionData ? actionData : undefined;
  const button = actionData && "intent" in actionData ? actionData : undefined;
  // While nothing is sold, Free has nothing to say about payments.
  const isFree = subscription && !subscription.isSubscribed && !subscription.change && !subscription.canManage;
  const showsSubscription = hasPlans && (canPay || !isFree);
  const showsHistory = hasPlans && (canPay || history?.invoices.length !== 0 || history.page > 1);
  const problemOf = (intent: "check" | "resend") => (button?.intent === intent ? button.problem : undefined);
  useCloseToast(button?.problem ? button : rejection);
  const { revalidate } = useRevalidator();
  // A payment on Stripe's page, in another window.
  useLiveEvents(["plan.changed"], () => void revalidate());
  return (
    <Page width="form" title="Account">
      {!isConfirmed && <UnconfirmedNotice email={email} canMail={canMail} problem={problemOf("resend")} />}
      {showsSubscription && (
        <SubscriptionPanel
          status={subscription}
          canPay={canPay}
          isChecked={button?.intent === "check" && !button.problem}
          problem={problemOf("check")?.title ?? (subscription ? undefined : billingMessages.statusFailed)}
        />
      )}
      {showsHistory && <BillingHistoryPanel history={history} canPay={canPay} />}
      <SignInPanel {...signIn} rejection={rejection} />
      <ProgramsPanel />
      <ExportPanel />
      <DangerZonePanel />
    </Page>
  );
}

type Context = Route.LoaderArgs["context"];

/** Undefined when it can't be read: the rest of the page is shown all the same. */
async function findSubscription(
  context: Context,
  ownerId: string,
  dates: DateChoice,
): Promise<SubscriptionSummary | undefined> {
  const all = services(context);
  try {
    const { plan, change, ...manage } = await findOwnSubscription(all, ownerId);
    return {
      isSubscribed: plan.id !== "free",
      planName: plan.name,
      change: change && { kind: change.kind, plan: change.plan, date: formatOwnDate(change.at, dates) },
      ...manage,
    };
  } catch (error) {
    logFailure(all.log, error, "a subscription could not be checked");
    return undefined;
  }
}

type HistoryRequest = { ownerId: string; page: number; dates: DateChoice };

/** Undefined when it can't be read. */
async function findHistory(context: Context, { ownerId, page, dates }: HistoryRequest): Promise<InvoicePage> {
  const { db, log } = services(context);
  try {
    const { invoices, hasOlder } = await listInvoices(db, ownerId, page);
    return { page, hasOlder, invoices: invoices.map((row) => toItem(row, dates)) };
  } catch (error) {
    logFailure(log, error, "the invoices could not be listed");
    return undefined;
  }
}

function toItem({ id, number, status, currency, created_at, ...amounts }: InvoiceRow, dates: DateChoice): InvoiceItem {
  const amount = formatAmount(invoiceAmount({ status, ...amounts }), currency, dates.locale || undefined);
  return { id, number, status, amount, date: formatOwnDate(created_at, dates) };
}

/** Asks Stripe again. */
async function refreshSubscription({ all, ownerId }: SentForm) {
  try {
    if (await refreshPayments(all, ownerId)) {
      await findOwnSubscription(all, ownerId);
      return data<AccountActionResult>({ intent: "check" });
    }
  } catch (error) {
    logFailure(all.log, error, "a subscription could not be refreshed");
  }
  return data<AccountActionResult>({ intent: "check", problem: { title: billingMessages.statusFailed } }, 503);
}

async function resendOwnConfirmation({ all, context, origin: { address } }: SentForm) {
  const failed = (problem: { title: string; text?: string }, status: number) =>
    data<AccountActionResult>({ intent: "resend", problem }, status);
  if (!all.mail.isConfigured) return failed(messages.noMail, 503);
  const resend = async () => {
    const result = await requestOwnConfirmation(all, { user: requireUser(context), address });
    if (result.kind === "rate-limited") return failed(tooManyMailsMessage(formatWait(result.until, all.clock())), 429);
    const title = result.kind === "sent" ? messages.resent : messages.confirmedBefore.title;
    return redirectWithToast("/account", { title, tone: result.kind === "sent" ? "success" : "info" });
  };
  return tryWrite(all.log, resend, { ...accountFailure, refuse: failed });
}
