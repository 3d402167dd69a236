import { data, useNavigation } from "react-router";

import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { accountFailure, cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { clearDraftCard } from "#app/features/start/draft-card.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { clearStorage } from "#app/services/http/cookies.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { StatusBadge } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/sessions-page.ts";
import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import { lastActive, methodName, sessionMessages as messages } from "./session-messages.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { auth, db, clock } = services(context);
  const userId = requireUser(context).id;
  const found = await auth.listSessions({ userId, headers: request.headers });
  const choice = await findPreferences(db, userId);
  const sessions = found.map(({ id, browser, method, startedAt, seenAt, isCurrent }) => ({
    id,
    browser,
    facts: [
      isCurrent ? "Active now" : lastActive({ seenAt, now: clock(), choice }),
      `Signed in ${formatOwnDate(startedAt, choice)}`,
      methodName(method),
    ],
    isCurrent,
  }));
  return { sessions };
}

export function meta() {
  return [{ title: "Where you’re signed in | Meishi" }];
}

export async function action(args: Route.ActionArgs) {
  const { all, ownerId: userId, form, text, origin } = await readSentForm(args);
  const intent = text("intent");
  if (intent !== "end" && intent !== "end-others" && intent !== "end-all") throw data(null, { status: 400 });
  requireFresh(args.context, args.url);
  const of = { userId, origin };
  const end = async () => {
    if (intent === "end-all") return endEverywhere(all, of);
    if (intent === "end-others") {
      const count = await all.auth.endOtherSessions(of);
      const title = count > 0 ? messages.endedOthers : messages.noOthers;
      return redirectWithToast("/account/sessions", { title, tone: count > 0 ? "success" : "info" });
    }
    const browser = await all.auth.endOwnSession({ ...of, sessionId: fieldId(form, "id") });
    if (browser === undefined) return redirectWithToast("/account/sessions", { title: messages.gone, tone: "info" });
    return redirectWithToast("/account/sessions", { title: messages.ended, text: browser, tone: "success" });
  };
  return tryWrite(all.log, end, { ...accountFailure, refuse: (problem, status) => data({ problem }, status) });
}

async function endEverywhere(all: Services, of: { userId: string; origin: SentForm["origin"] }) {
  const headers = cookieHeaders(await all.auth.endAllSessions(of));
  headers.append("set-cookie", clearDraftCard(all));
  // Removes the offline page of this device as well.
  clearStorage(headers, of.origin);
  return redirectWithToast("/auth", { ...messages.endedAll, tone: "success" }, headers);
}

export default function SessionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { sessions } = loaderData;
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  const busy = useNavigation().formData;
  return (
    <Page
      width="form"
      title="Where you’re signed in"
      back={<BackLink to="/account">Account</BackLink>}
      intro={messages.lead}
    >
      {actionData && (
        <Notice tone="error" title={actionData.problem.title}>
          {actionData.problem.text}
        </Notice>
      )}
      <ul className="divide-y divide-line rounded-card border border-line bg-raised px-5 sm:px-6.5">
        {sessions.map((session) => (
          <SessionItem key={session.id} {...session} isBusy={busy?.get("id") === session.id} />
        ))}
      </ul>
      {!hasOthers && <p className="text-sm text-muted">{messages.noOthers}</p>}
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        {hasOthers && <ScopeForm intent="end-others" label="Sign out all others" isBusy={busy !== undefined} />}
        <ScopeForm intent="end-all" label="Sign out everywhere" isBusy={busy !== undefined} />
      </div>
    </Page>
  );
}

type SessionItemProps = Route.ComponentProps["loaderData"]["sessions"][number] & { isBusy: boolean };

function SessionItem({ id, browser, facts, isCurrent, isBusy }: SessionItemProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-4.5">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <span className="wrap-anywhere">{browser}</span>
          {isCurrent && <StatusBadge className="font-normal">This browser</StatusBadge>}
        </p>
        <p className="text-sm text-muted">{facts.join(" · ")}</p>
      </div>
      <ActionButton
        fields={{ intent: "end", id }}
        formProps={isCurrent ? { action: "/auth/sign-out", reloadDocument: true } : {}}
        aria-disabled={isBusy}
      >
        Sign out<span className="sr-only"> of {isCurrent ? "this browser" : browser}</span>
      </ActionButton>
    </li>
  );
}

function ScopeForm({ intent, label, isBusy }: { intent: string; label: string; isBusy: boolean }) {
  return (
    <ActionButton
      fields={{ intent }}
      formProps={{ className: "max-sm:grid" }}
      variant={intent === "end-all" ? "danger" : "quiet"}
      aria-disabled={isBusy}
    >
      {label}
    </ActionButton>
  );
}
