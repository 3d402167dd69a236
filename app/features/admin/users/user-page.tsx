import { data } from "react-router";

import { isFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { actOnAccount } from "#app/features/admin/account-action.server.ts";
import { adminMessages, maxReasonLength, operatorActions } from "#app/features/admin/messages.ts";
import type { OperatorAction } from "#app/features/admin/messages.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { isUnavailable } from "#app/services/base/errors.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { readGrantEnd } from "#app/features/admin/rules.ts";

import type { Route } from "./+types/user-page.ts";
import { ActionsPanel, RepeatPanel } from "./user-actions-panel.tsx";
import type { ActionProblem } from "./user-actions-panel.tsx";
import { findListedUser } from "./user-data.server.ts";
import { readUserDetails } from "./user-details-data.server.ts";
import { PlanPanel } from "./user-plan-panel.tsx";
import { EventsPanel, FactsPanel, SessionsPanel, StateBadge } from "./user-panels.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  // After a rejected form: it is shown again without anything about the user.
  if (!isFresh(context)) return undefined;
  const { db, clock, config } = services(context);
  const now = clock();
  const user = await findListedUser(db, { id: params.id, now, premium: config.premium });
  if (!user) return throwNotFound(context, url);
  const details = await readUserDetails(db, { ownerId: user.id, now });
  const isOperators = config.adminEmails.includes(user.email);
  const hasPlans = config.premium !== "everyone";
  return { user, ...details, isOperators, hasPlans, isOwn: user.id === requireUser(context).id };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.user.email ?? "User"} | Meishi` }];
}

export async function action(args: Route.ActionArgs) {
  const { all, ownerId: adminId, context, params, text, url } = await readSentForm(args);
  const intent = text("intent");
  if (!isAction(intent)) throw data(null, { status: 400 });
  const typed = { intent, reason: text("reason"), confirm: text("confirm"), until: text("until") };
  const reject = (problem: Partial<ActionProblem>, status: number) =>
    data<ActionProblem>({ ...typed, ...problem }, { status });
  if (!isFresh(context)) return reject({}, 403);
  const user = await findListedUser(all.db, { id: params.id, now: all.clock(), premium: all.config.premium });
  if (!user) return throwNotFound(context, url);
  const forbidden = findForbidden(intent, {
    isOwn: user.id === adminId,
    isOperators: all.config.adminEmails.includes(user.email),
    hasPlans: all.config.premium !== "everyone",
  });
  if (forbidden) return reject({ notice: { title: forbidden } }, 403);
  const reason = plainLine(typed.reason.slice(0, maxReasonLength * 5));
  const endsAt = readGrantEnd(typed.until, all.clock());
  const problem = findProblem(intent, { reason, endsAt, confirm: typed.confirm, email: user.email });
  if (problem) return reject(problem, 400);
  try {
    const more = { ...(hasReason(intent) && { reason }), ...(intent === "grant" && endsAt && { endsAt }) };
    const outcome = await actOnAccount(all, { adminId, ownerId: user.id, action: intent, ...more });
    if (outcome === "gone") return throwNotFound(context, url);
    if (outcome === "unchanged") {
      const title = intent === "revoke" ? adminMessages.noGrant : adminMessages.noSecondFactor;
      return reject({ notice: { title } }, 409);
    }
  } catch (failure) {
    if (failure instanceof Response) throw failure;
    logFailure(all.log, failure, "an operator’s action failed");
    return reject({ notice: { title: adminMessages.failed } }, isUnavailable(failure) ? 503 : 500);
  }
  const path = intent === "delete" ? "/admin/users" : `/admin/users/${user.id}`;
  return redirectWithToast(path, { title: adminMessages.done[intent], tone: "success" });
}

/** Of an operator, no other can be removed or made: whoever took over one of the accounts would keep the others out. */
const operatorForbidden: readonly OperatorAction[] = ["confirm", "block", "reset-two-step", "delete"];

type Circumstances = { isOwn: boolean; isOperators: boolean; hasPlans: boolean };

function findForbidden(action: OperatorAction, { isOwn, isOperators, hasPlans }: Circumstances) {
  if (!hasPlans && (action === "grant" || action === "revoke")) return adminMessages.everyoneHasPremium;
  if (!isOperators || !operatorForbidden.includes(action)) return undefined;
  return isOwn ? adminMessages.ownAccount : adminMessages.otherOperator;
}

function isAction(intent: string): intent is OperatorAction {
  return operatorActions.some((action) => action === intent);
}

const hasReason = (action: OperatorAction) => action === "block" || action === "grant";

type TypedFields = { reason: string; endsAt: number | null | undefined; confirm: string; email: string };

/** What is wrong with a field of an action's form. */
function findProblem(
  action: OperatorAction,
  { reason, endsAt, confirm, email }: TypedFields,
): Pick<ActionProblem, "error" | "field"> | undefined {
  if (action === "grant" && endsAt === undefined) return { field: "until", error: adminMessages.untilInvalid };
  if (hasReason(action) && reason === "") return { field: "reason", error: adminMessages.reasonRequired };
  if (hasReason(action) && reason.length > maxReasonLength)
    return { field: "reason", error: adminMessages.reasonTooLong };
  return action === "delete" && confirm.trim().toLowerCase() !== email ? { error: adminMessages.typeEmail } : undefined;
}

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return actionData && <RepeatPanel {...actionData} />;
  const { user, block } = loaderData;
  return (
    <>
      <header className="grid gap-1">
        <BackLink to="/admin/users">Users</BackLink>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="heading text-xl wrap-anywhere" dir="auto">
            {user.name || user.email}
          </h1>
          <StateBadge state={user.state} />
        </div>
      </header>
      {block && (
        <Notice tone="warning" title="This account is blocked">
          {block.reason}
        </Notice>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          <FactsPanel {...loaderData} />
          {loaderData.hasPlans && <PlanPanel {...loaderData} problem={actionData} />}
          <ActionsPanel {...loaderData} problem={actionData} />
        </div>
        <div className="grid min-w-0 gap-5">
          <SessionsPanel sessions={loaderData.sessions} />
          <EventsPanel events={loaderData.events} />
        </div>
      </div>
    </>
  );
}
