import { data } from "react-router";

import { removeTallies } from "#app/features/analytics/data.server.ts";
import { findPlan, removeSubscription } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import { removeCardsOf } from "#app/features/cards/data.server.ts";
import { contactAddress } from "#app/features/content/contact-address.server.ts";
import { offerOf } from "#app/features/marketing/plan-offer.ts";
import { removeProfileOf } from "#app/features/profile/data.server.ts";
import { removeAssetsOfOwner } from "#app/features/uploads/data.server.ts";
import { requestFacts, services, member } from "#app/services/context.ts";
import type { Services } from "#app/services/context.ts";
import { transact } from "#app/services/database.server.ts";
import { lockUser } from "#app/services/lock-user.server.ts";
import { removeUser } from "#app/services/remove-user.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/delete-account-page.ts";
import { cookieHeaders } from "./auth-answers.server.ts";
import { AskToLeave, AskWhy, ConfirmDelete } from "./delete-account-steps.tsx";
import { deleteWord, maxFeedback, readFields } from "./form.ts";
import { deletedMail, feedbackMail } from "./mails.ts";
import { messages } from "./messages.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  const { db, clock } = all;
  const plan = await findPlan(db, member(context).id, clock());
  return { canSay: contactAddress(all) !== undefined, lost: plan.id === "free" ? [] : benefits() };
}

export function meta() {
  return [{ title: "Delete account | Meishi" }];
}

type Answer = { step: "why" | "confirm"; feedback: string; problem?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const { intent, feedback = "", confirm } = await readFields(request);
  if (intent === "continue") return data<Answer>({ step: "why", feedback });
  if (intent !== "feedback" && intent !== "delete") throw data(null, { status: 400 });
  if (feedback.length > maxFeedback) {
    return data<Answer>({ step: "why", feedback, problem: messages.feedbackTooLong }, 400);
  }
  if (intent === "feedback") return data<Answer>({ step: "confirm", feedback });
  if (confirm !== deleteWord) return data<Answer>({ step: "confirm", feedback, problem: messages.typeDelete }, 400);

  const all = services(context);
  const ownerId = member(context).id;
  try {
    await removeEverything(all, { ownerId, feedback: feedback.trim() });
  } catch (error) {
    all.log.error({ err: error, id: context.get(requestFacts).id }, "an account could not be deleted");
    return data<Answer>({ step: "confirm", feedback, problem: messages.notDeleted }, 500);
  }
  all.bus.publish({ kind: "owner-changed", ownerId });
  const { cookies } = await all.auth.signOut(request.headers);
  const headers = cookieHeaders(cookies);
  // What this device keeps for when there is no network goes as well.
  headers.set("clear-site-data", '"storage"');
  return redirectWithToast("/", { ...messages.deleted, tone: "success" }, headers);
}

/** Three steps on one address, each a form that the server answers: they work without script. */
export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!actionData) return <AskToLeave lost={loaderData.lost} />;
  return actionData.step === "why" ? (
    <AskWhy {...actionData} canSay={loaderData.canSay} />
  ) : (
    <ConfirmDelete {...actionData} />
  );
}

/** What Premium has and Free has not. */
function benefits(): string[] {
  const free = new Set(offerOf(plans.free).points.map(({ text }) => text));
  return offerOf(plans.premium).points.flatMap(({ text, isLater }) => (isLater || free.has(text) ? [] : [text]));
}

/** All of it or nothing. Files go after it, by the job that is noted in it. */
async function removeEverything(all: Services, { ownerId, feedback }: { ownerId: string; feedback: string }) {
  const { db, jobs, counter, config, sign } = all;
  const { baseUrl } = config;
  // What is counted in memory would come back after the rows are gone.
  await counter.flush();
  await transact(db, async (trx) => {
    // The same form twice at once: the second finds nobody.
    if (!(await lockUser(trx, ownerId))) return;
    // Before the profile, because an upload locks in this order too.
    await removeAssetsOfOwner(trx, jobs, ownerId);
    // From here on nothing can be made for this person: it would hang on the profile.
    await removeProfileOf(trx, sign, ownerId);
    await removeTallies(trx, ownerId);
    await removeCardsOf(trx, ownerId);
    await removeSubscription(trx, ownerId);
    const email = await removeUser(trx, ownerId);
    if (email) await jobs.enqueue(trx, "mail", deletedMail({ to: email, baseUrl }));
    const to = contactAddress(all);
    if (feedback && to) await jobs.enqueue(trx, "mail", feedbackMail({ to, feedback, baseUrl }));
  });
}
