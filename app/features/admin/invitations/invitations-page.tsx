import { data } from "react-router";

import { Time } from "#app/features/admin/admin-table.tsx";
import { Pagination } from "#app/ui/components/pagination.tsx";
import { adminMessages } from "#app/features/admin/messages.ts";
import { isFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { identityPath } from "#app/services/auth/return-to.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";
import { TextAreaField } from "#app/ui/forms/field.tsx";
import { readAddressList } from "#app/features/admin/rules.ts";

import type { Route } from "./+types/invitations-page.ts";
import { changeInvitation, inviteAddresses } from "./invitation-data.server.ts";
import type { InviteResult } from "./invitation-data.server.ts";

const path = "/admin/invitations";
const pageSize = 50;
const maxId = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { auth, config, mail } = services(context);
  const site = { signUp: config.signUp, canMail: mail.isConfigured };
  // After a rejected form: it is shown again without any addresses.
  if (!isFresh(context)) return { ...site, list: undefined };
  const before = (url.searchParams.get("before") ?? "").replaceAll("\u0000", "").slice(0, maxId) || undefined;
  const list = await auth.listInvitations({ before, limit: pageSize });
  return { ...site, list: { ...list, isFirst: before === undefined } };
}

export function meta() {
  return [{ title: "Invitations | Meishi" }];
}

type InviteProblem = { typed: string; error?: string; isUnproved?: true; result?: InviteResult };

export async function action(args: Route.ActionArgs) {
  const { all, ownerId: adminId, context, text } = await readSentForm(args);
  const [intent, typed] = [text("intent"), text("addresses")];
  const refuse = (problem: Omit<InviteProblem, "typed">, status: number) =>
    data<InviteProblem>({ typed, ...problem }, { status });
  if (!isFresh(context)) return refuse({ isUnproved: true }, 403);
  if (intent === "again" || intent === "revoke") {
    const isDone = await changeInvitation(all, { adminId, id: text("id").slice(0, maxId), action: `invite-${intent}` });
    const { again, revoked, gone } = adminMessages.invite;
    const title = isDone ? (intent === "again" ? again : revoked) : gone;
    return redirectWithToast(path, { title, tone: isDone ? "success" : "info" });
  }
  if (intent !== "invite") throw data(null, { status: 400 });
  if (all.config.signUp === "closed" || !all.mail.isConfigured) return refuse({}, 409);
  const list = readAddressList(typed);
  if ("error" in list) return refuse({ error: list.error }, 400);
  const result = await inviteAddresses(all, { adminId, emails: list.emails });
  if (result.invited.length === list.emails.length)
    return redirectWithToast(path, { title: adminMessages.invite.sent(result.invited.length), tone: "success" });
  return data<InviteProblem>({ typed: "", result });
}

export default function InvitationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, signUp, canMail } = loaderData;
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">Invitations</h1>
        <p className="text-muted">{policyTexts[signUp]}</p>
      </header>
      {actionData?.isUnproved && (
        <Notice
          tone="warning"
          title={adminMessages.identityFirst.title}
          action={
            <ButtonLink size="s" href={identityPath(path)} target="_blank">
              Confirm it’s you
            </ButtonLink>
          }
        >
          {adminMessages.identityFirst.text}
        </Notice>
      )}
      {actionData?.result && <ResultNotice {...actionData.result} />}
      <Panel title="Invite people">
        {canMail ? (
          signUp !== "closed" && <InviteForm typed={actionData?.typed ?? ""} error={actionData?.error} />
        ) : (
          <p>Email isn’t set up on this server, so invitations can’t be sent.</p>
        )}
        {canMail && signUp === "closed" && <p>Set SIGN_UP to invite or open, and restart, to invite people.</p>}
      </Panel>
      {list && <InvitationList {...list} />}
    </>
  );
}

const policyTexts = {
  open: "Everyone can sign up here. An invitation confirms the address, so it saves its owner a step.",
  invite: "Only people with an invitation can sign up here.",
  closed: "Sign-up is closed. Invitations can’t be accepted while it is.",
};

function InviteForm({ typed, error }: { typed: string; error: string | undefined }) {
  return (
    <form method="post" className="grid justify-items-start gap-4 [&>div]:w-full">
      <input type="hidden" name="intent" value="invite" />
      <TextAreaField
        label="Email addresses"
        name="addresses"
        rows={4}
        defaultValue={typed}
        hint="Up to 50, one per line or separated by commas. Each gets a link that is valid for 14 days."
        autoComplete="off"
        spellCheck={false}
        {...(error !== undefined && { error })}
      />
      <Button variant="main" type="submit">
        Send invitations
      </Button>
    </form>
  );
}

function ResultNotice({ invited, withAccount, invitedBefore }: InviteResult) {
  return (
    <Notice tone={invited.length > 0 ? "success" : "warning"} title={adminMessages.invite.sent(invited.length)}>
      <ul className="grid gap-1 wrap-anywhere">
        {withAccount.length > 0 && <li>{`Already has an account: ${withAccount.join(", ")}`}</li>}
        {invitedBefore.length > 0 && (
          <li>{`Invited before, send it again from the list: ${invitedBefore.join(", ")}`}</li>
        )}
      </ul>
    </Notice>
  );
}

type ListProps = NonNullable<Route.ComponentProps["loaderData"]["list"]>;
type Listed = ListProps["invitations"][number];

function InvitationList({ invitations, next, isFirst }: ListProps) {
  if (invitations.length === 0)
    return <EmptyState title="No invitations yet" text="The people you invite are listed here with their state." />;
  return (
    <>
      <ul aria-label="Invitations" className="rounded-card border border-line bg-raised px-5">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} {...invitation} />
        ))}
      </ul>
      <Pagination next={next && `${path}?before=${encodeURIComponent(next)}`} first={isFirst ? undefined : path} />
    </>
  );
}

function InvitationRow({ id, email, state, at }: Listed) {
  const { label, tone } = states[state];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-b border-line py-3.5 last:border-0">
      <span className="grid min-w-0 gap-0.5">
        <span className="font-medium wrap-anywhere">{email}</span>
        <span className="text-sm text-muted">
          <span className={tone}>{label}</span> <Time at={at} isDay />
        </span>
      </span>
      {state !== "accepted" && (
        <form method="post" className="flex flex-wrap gap-2.5">
          <input type="hidden" name="id" value={id} />
          <Button type="submit" size="s" name="intent" value="again" aria-label={`Send again to ${email}`}>
            Send again
          </Button>
          <Button type="submit" size="s" name="intent" value="revoke" aria-label={`Revoke the invitation of ${email}`}>
            Revoke
          </Button>
        </form>
      )}
    </li>
  );
}

const states = {
  sent: { label: "Sent, valid until", tone: "" },
  expired: { label: "Expired", tone: "text-warning" },
  accepted: { label: "Accepted", tone: "text-success" },
};
