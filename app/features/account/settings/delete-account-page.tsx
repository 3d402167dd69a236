import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { data } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { deleteWord, maxFeedbackLength, readFields } from "#app/features/account/schema.ts";
import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { findPlan } from "#app/features/billing/data.server.ts";
import { planOffer } from "#app/features/billing/offer.ts";
import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { contactAddress } from "#app/features/contact/contact-mail.server.ts";
import { clearDraftCard } from "#app/features/start/draft-card.server.ts";
import { isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { logFailure, logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { clearStorage } from "#app/services/http/cookies.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/delete-account-page.ts";
import { deleteAccount } from "./account-deletion-data.server.ts";
import { isFresh, proveOnOpening } from "#app/services/auth/reauthentication/reauthentication.server.ts";

export const middleware: Route.MiddlewareFunction[] = [proveOnOpening];

export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  const plan = await findPlan(all, requireUser(context).id);
  return { canSendFeedback: contactAddress(all) !== undefined, lost: listLostBenefits(plan, all.config.premium) };
}

export function meta() {
  return [{ title: "Delete account | Meishi" }];
}

type DeleteStepResult = {
  step: "why" | "confirm";
  feedback: string;
  problem?: string;
  /** The user has to prove again who they are. */
  isStale?: true;
};

export async function action({ request, context }: Route.ActionArgs) {
  const { intent, feedback = "", confirm } = await readFields(request);
  if (intent === "continue") return data<DeleteStepResult>({ step: "why", feedback });
  if (intent !== "feedback" && intent !== "delete") throw data(null, { status: 400 });
  if (feedback.length > maxFeedbackLength) {
    return data<DeleteStepResult>({ step: "why", feedback, problem: messages.feedbackTooLong }, 400);
  }
  if (intent === "feedback") return data<DeleteStepResult>({ step: "confirm", feedback });
  if (confirm !== deleteWord)
    return data<DeleteStepResult>({ step: "confirm", feedback, problem: messages.typeDelete }, 400);
  if (!isFresh(context)) return data<DeleteStepResult>({ step: "confirm", feedback, isStale: true }, 403);

  const all = services(context);
  const ownerId = requireUser(context).id;
  try {
    await deleteAccount(all, { ownerId, feedback: feedback.trim() });
  } catch (error) {
    logFailure(all.log, error, "an account could not be deleted");
    const isUnknown = isOutcomeUnknown(error);
    const problem = isUnknown ? messages.mayBeDeleted : messages.notDeleted;
    return data<DeleteStepResult>(
      { step: "confirm", feedback, problem },
      isUnknown || isUnavailable(error) ? 503 : 500,
    );
  }
  logSecurityEvent(all.log, { event: "account-deleted", account: ownerId });
  const { cookies } = await all.auth.signOut(request.headers);
  const headers = cookieHeaders(cookies);
  headers.append("set-cookie", clearDraftCard(all));
  // Removes the offline page of this device as well.
  clearStorage(headers, request);
  return redirectWithToast("/", { ...messages.deleted, tone: "success" }, headers);
}

/** Three steps at one URL, each a form that the server handles: they work without script. */
export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!actionData) return <WarningStep lost={loaderData.lost} />;
  return actionData.step === "why" ? (
    <FeedbackStep {...actionData} canSendFeedback={loaderData.canSendFeedback} />
  ) : (
    <ConfirmStep {...actionData} />
  );
}

/** The features of a plan that Free doesn't have. */
function listLostBenefits(plan: Plan, premium: PremiumAccess): string[] {
  if (premium === "everyone") return [];
  const free = new Set(planOffer(plans.free, premium).points);
  return planOffer(plan, premium).points.filter((text) => !free.has(text));
}

/** `lost`: the features of the paid plan that Free doesn't have. */
function WarningStep({ lost }: { lost: string[] }) {
  return (
    <Step number={1} title={messages.confirmLeaving}>
      <div className="grid gap-4">
        <p>
          Your profile, cards, leads, images, files and statistics are deleted immediately and permanently. Printed QR
          codes and links stop working. Your handle is retired: no one can use it again, including you.
        </p>
        <p>
          Want a copy?{" "}
          <a href="/account/export" className="font-medium text-text underline">
            Download your data first
          </a>
          .
        </p>
        {lost.length > 0 && (
          <div>
            <p className="font-medium text-text">Your subscription ends immediately. You’ll lose:</p>
            <ul className="mt-2 grid list-disc gap-1 ps-5">
              {lost.map((benefit) => (
                <li key={benefit}>{benefit}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <form method="post" className={buttonsClass}>
        <input type="hidden" name="intent" value="continue" />
        <ButtonLink variant="main" href="/account">
          Stay
        </ButtonLink>
        <Button type="submit">Continue</Button>
      </form>
    </Step>
  );
}

type StepFormProps = { feedback: string; problem?: string | undefined };

/** `canSendFeedback`: the operator has an address that receives it. */
function FeedbackStep({ feedback, problem, canSendFeedback }: StepFormProps & { canSendFeedback: boolean }) {
  return (
    <Step number={2} title={messages.sadToSeeYouGo}>
      <form method="post" className="grid gap-6">
        <input type="hidden" name="intent" value="feedback" />
        {canSendFeedback ? (
          <TextAreaField
            label="What could be better?"
            name="feedback"
            rows={4}
            maxLength={maxFeedbackLength}
            defaultValue={feedback}
            hint="Optional. Your feedback is anonymous."
            {...(problem && { error: problem })}
          />
        ) : (
          <p>One step left.</p>
        )}
        <div className={buttonsClass}>
          <ButtonLink variant="main" href="/account">
            Cancel
          </ButtonLink>
          <Button type="submit">Submit & Continue</Button>
        </div>
      </form>
    </Step>
  );
}

function ConfirmStep({ feedback, problem, isStale }: StepFormProps & { isStale?: true }) {
  const field = useRef<HTMLInputElement>(null);
  // Undefined before hydration: without script the button is enabled, and the server checks the word.
  const [typed, setTyped] = useState<string>();
  useValuesBeforeHydration(field, ({ value }) => setTyped(value));
  return (
    <Step number={3} title="Delete your account">
      {isStale && (
        <Notice
          tone="warning"
          title={messages.confirmIdentityFirst.title}
          action={
            <ButtonLink size="s" href="/account/verify" target="_blank">
              Confirm it’s you
            </ButtonLink>
          }
        >
          {messages.confirmIdentityFirst.text}
        </Notice>
      )}
      <form method="post" className="grid gap-6">
        <input type="hidden" name="intent" value="delete" />
        <input type="hidden" name="feedback" value={feedback} />
        <Field
          ref={field}
          label={`Type ${deleteWord} to confirm`}
          name="confirm"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          hint="This can’t be undone."
          onChange={(event) => setTyped(event.target.value)}
          {...(problem && { error: problem })}
        />
        <div className={buttonsClass}>
          <ButtonLink variant="main" href="/account">
            Cancel
          </ButtonLink>
          <Button variant="danger" type="submit" disabled={typed !== undefined && typed !== deleteWord}>
            Delete My Account
          </Button>
        </div>
      </form>
    </Step>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-140 px-5 pt-8 sm:pt-16">
      <section className="grid gap-6 rounded-card border border-line bg-raised p-5 text-muted sm:p-9">
        <header>
          <p className="eyebrow">Step {number} of 3</p>
          <h1 className="heading mt-3 text-xl text-text">{title}</h1>
        </header>
        {children}
      </section>
    </div>
  );
}

const buttonsClass = "flex flex-wrap gap-2.5 max-sm:*:grow";
