import { data } from "react-router";

import { checkSubscription } from "#app/features/billing/data.server.ts";
import { messages as billingMessages } from "#app/features/billing/messages.ts";
import { built } from "#app/features/shell/built.ts";
import { requestFacts, services, member } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/account-page.ts";
import { BillingHistory, DangerZone, Subscription } from "./account-panels.tsx";
import type { SubscriptionWords } from "./account-panels.tsx";
import { SignInPanel, Unconfirmed } from "./account-sign-in.tsx";
import { failureOf } from "./auth-answers.server.ts";
import { confirmOwnAddress } from "./data.server.ts";
import { readFields } from "./form.ts";
import { messages, tooManyMails } from "./messages.ts";
import { dayWords, inMinutes } from "./rules.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const person = member(context);
  const { mail } = services(context);
  return {
    email: person.email,
    isConfirmed: person.isConfirmed,
    canMail: mail.isConfigured,
    subscription: await check(context, person.id),
    canPay: built.payments,
  };
}

export function meta() {
  return [{ title: "Account | Meishi" }];
}

/** What a press of a button on this page came to; `problem` is for the panel of the button. */
type Answer = { intent: "check" | "resend"; problem?: { title: string; text?: string } };

export async function action({ request, context }: Route.ActionArgs) {
  const person = member(context);
  const { intent } = await readFields(request);
  if (intent === "resend") return resend(context, person);
  if (intent !== "check") throw data(null, { status: 400 });
  if (await check(context, person.id)) return data<Answer>({ intent });
  return data<Answer>({ intent, problem: { title: billingMessages.statusFailed } }, 503);
}

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isConfirmed, canMail, subscription, canPay } = loaderData;
  const problemOf = (intent: Answer["intent"]) => (actionData?.intent === intent ? actionData.problem : undefined);
  return (
    <div className="mx-auto grid w-full max-w-140 gap-5 px-5 pt-8 sm:max-w-160 sm:pt-12">
      <h1 className="heading mb-1 text-xl">Account</h1>
      {!isConfirmed && <Unconfirmed email={email} canMail={canMail} problem={problemOf("resend")} />}
      <Subscription
        status={subscription}
        isChecked={actionData?.intent === "check" && !actionData.problem}
        problem={problemOf("check")?.title ?? (subscription ? undefined : billingMessages.statusFailed)}
      />
      <BillingHistory canPay={canPay} />
      <SignInPanel email={email} isConfirmed={isConfirmed} canMail={canMail} />
      <DangerZone />
    </div>
  );
}

type Context = Route.LoaderArgs["context"];

/** Undefined when the database can't say: the rest of the page is there all the same. */
async function check(context: Context, userId: string): Promise<SubscriptionWords | undefined> {
  const { db, clock, log } = services(context);
  try {
    const { plan, paidUntil } = await checkSubscription(db, userId, clock());
    const renewsOn = paidUntil === null ? undefined : dayWords(paidUntil);
    return { isSubscribed: plan.id !== "free", tier: plan.name, renewsOn };
  } catch (error) {
    log.error({ err: error, id: context.get(requestFacts).id }, "a subscription could not be checked");
    return undefined;
  }
}

async function resend(context: Context, person: { id: string; email: string }) {
  const all = services(context);
  const { address, id } = context.get(requestFacts);
  const failed = (problem: Answer["problem"], status: number) =>
    data<Answer>({ intent: "resend", ...(problem && { problem }) }, status);
  if (!all.mail.isConfigured) return failed(messages.noMail, 503);
  try {
    const result = await confirmOwnAddress(all, { person, address });
    if (result.kind === "too-often") return failed(tooManyMails(inMinutes(result.until, all.clock())), 429);
    const title = result.kind === "sent" ? messages.resent : messages.confirmedBefore.title;
    return redirectWithToast("/account", { title, tone: result.kind === "sent" ? "success" : "info" });
  } catch (error) {
    const { notice, status } = failureOf({ services: all, id }, error);
    return failed(notice, status);
  }
}
