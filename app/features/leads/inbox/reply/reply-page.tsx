import { randomUUID } from "node:crypto";

import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { leadPath, listQuery } from "#app/features/leads/inbox/filter-schema.ts";
import { findInboxLead } from "#app/features/leads/inbox/lead-data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";
import { formAction, intentAction } from "#app/services/forms/form-action.server.ts";
import type { RefusedForm, SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/reply-page.ts";
import { findReplyCard, findTemplate, saveTemplate, sendReply } from "./reply-data.server.ts";
import { ReplyForm } from "./reply-form.tsx";
import { checkReply, checkTemplate, fillTemplate, findNoReply, readReply } from "./reply-rules.ts";
import type { NoReply, ReplyTemplate, ReplyValues } from "./reply-rules.ts";

type LeadForm = SentForm<{ id: string }>;

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, mail } = services(context);
  const ownerId = requireUser(context).id;
  const found = await findInboxLead(db, { ownerId, id: params.id });
  if (!found || found.lead.email === "" || found.lead.withdrawnAt !== null) throwNotFound(context, url);
  const { lead, consents } = found;
  const replyTo = await findRecipient(db, ownerId);
  const template = await findTemplate(db, ownerId);
  const why = findNoReply(lead, consents);
  return {
    title: leadTitle(lead),
    email: lead.email,
    path: leadPath(lead.mergedInto ?? lead.id, listQuery(url.searchParams.get("list"))),
    replyTo,
    problem: why ? noReplyTexts[why] : findNoSender(mail, replyTo),
    values: {
      id: randomUUID(),
      ...(await fill(context, { lead, template })),
      templateSubject: template.subject,
      templateText: template.text,
    },
  };
}

type FillOptions = {
  lead: { ownerId: string; name: string; company: string; cardId: string };
  template: ReplyTemplate;
};

async function fill(context: Route.LoaderArgs["context"], { lead, template }: FillOptions): Promise<ReplyTemplate> {
  const { displayName } = await loadOwnProfile(context);
  const card = await findReplyCard(services(context), { ownerId: lead.ownerId, cardId: lead.cardId });
  const facts = { name: lead.name, company: lead.company, myName: displayName };
  return fillTemplate(template, { ...facts, cardUrl: card?.card.cardUrl ?? "" });
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, { send, "save-template": storeTemplate });
}

async function send(sent: LeadForm) {
  return formAction(sent, {
    read: readReply,
    check: checkReply,
    run: async (reply, { all, ownerId, params, context, url, refuse }) => {
      const problem = findNoSender(all.mail, await findRecipient(all.db, ownerId));
      if (problem) return refuse({ problem }, 409);
      const result = await sendReply(all, { ...reply, ownerId, leadId: params.id });
      if (result.kind === "gone") throwNotFound(context, url);
      if (result.kind === "refused") return refuse({ problem: noReplyTexts[result.reason] }, 409);
      if (result.kind === "rate-limited")
        return refuse({ problem: tooMany(formatWait(result.until, all.clock())) }, 429);
      const path = leadPath(params.id, listQuery(url.searchParams.get("list")));
      return redirectWithToast(path, { title: "Reply sent", tone: "success" });
    },
    failure: { event: "reply to a lead not sent", unexpected: failureTexts.failed },
  });
}

/** Stores the template, and fills it in again where the message wasn't changed. */
async function storeTemplate(sent: LeadForm) {
  return formAction(sent, {
    read: readReply,
    check: checkTemplate,
    run: async ({ template }, { all, ownerId, params, context, url, values }) => {
      const found = await findInboxLead(all.db, { ownerId, id: params.id });
      if (!found) throwNotFound(context, url);
      const before = await fill(context, { lead: found.lead, template: await findTemplate(all.db, ownerId) });
      await saveTemplate(all.db, { ownerId, template, now: all.clock() });
      const stored = await findTemplate(all.db, ownerId);
      const after = await fill(context, { lead: found.lead, template: stored });
      return {
        values: {
          ...values,
          subject: plainLine(values.subject) === before.subject ? after.subject : values.subject,
          text: paragraph(values.text) === before.text ? after.text : values.text,
          templateSubject: stored.subject,
          templateText: stored.text,
        },
        errors: {},
        problem: undefined,
        isSaved: true,
      };
    },
    failure: { event: "reply template not saved", unexpected: failureTexts.failed },
  });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<RefusedForm<ReplyValues, string> | Awaited<ReturnType<typeof serverAction>>>(
    { request, serverAction },
    (form, failure) => ({ values: readReply(form), errors: {}, problem: failureTexts[failure] }),
  );
}

const noReplyTexts: Record<NoReply, string> = {
  edited: "You changed this address, so it can’t be mailed from here. Send your reply from your mail app.",
  "in-person":
    "You entered this address yourself, so it can’t be mailed from here. Send your reply from your mail app.",
  spam: "Move this lead to your inbox to reply from here.",
  consent: "This visitor doesn’t allow you to contact them.",
};

/** Why nothing can be sent from here, whoever it is for. */
function findNoSender(mail: { isConfigured: boolean }, replyTo: string | undefined): string | undefined {
  if (!mail.isConfigured) return "This site can’t send email. Send your reply from your mail app.";
  return replyTo ? undefined : unconfirmed;
}

const unconfirmed = "Confirm your email address to send from here, or send your reply from your mail app.";

function tooMany(when: string): string {
  return `You sent too many replies today. Your text is still here. Try again ${when}, or send it from your mail app.`;
}

const failureTexts: Record<ActionFailure, string> = {
  offline: "You are offline. Your text is still here. Send it again once you are connected.",
  "signed-out": "You are signed out. Your text is still here. Sign in and send it again.",
  "too-large": "This is too long to be sent. Shorten your text and send it again.",
  failed: "Something went wrong on our end. Your text is still here. Send it again in a moment.",
};

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Reply to ${loaderData?.title ?? "a lead"} | Meishi` }];
}

export default function ReplyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, email, path, replyTo, problem } = loaderData;
  const values = actionData?.values ?? loaderData.values;
  return (
    <Page
      width="form"
      title="Reply"
      back={<BackLink to={path}>{title}</BackLink>}
      intro={
        <p className="text-muted wrap-anywhere">
          To <bdi>{email}</bdi>
          {!problem && replyTo && (
            <>
              . Answers go to <bdi>{replyTo}</bdi>.
            </>
          )}
        </p>
      }
    >
      {problem && <Notice>{problem}</Notice>}
      {actionData?.problem && (
        <Notice tone="error" title="Not sent">
          {actionData.problem}
        </Notice>
      )}
      <ReplyForm
        // A new template fills in the message again.
        key={`${values.templateSubject}\n${values.templateText}`}
        values={values}
        result={actionData}
        isTemplateSaved={actionData !== undefined && "isSaved" in actionData}
        email={email}
        canSend={!problem}
      />
    </Page>
  );
}
