import { formatOwnDate, formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { EventPanel } from "#app/features/calendar/event-panel.tsx";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { Page, PageTitle } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/lead-page.ts";
import { listCardNames, listOwnTags } from "#app/features/leads/inbox/inbox-data.server.ts";
import { leadForms, requireLead } from "./lead-action.server.ts";
import type { NotesResult } from "./lead-action.server.ts";
import { readTypedNotes } from "./notes-rules.ts";
import { findInboxLead, markRead } from "#app/features/leads/inbox/lead-data.server.ts";
import { LeadActionsBar } from "./lead-actions-bar.tsx";
import { AnswersPanel, ConsentPanel, ContactPanel } from "./lead-panels.tsx";
import { NotesForm, notesBase, PrintedNotes } from "./notes-form.tsx";
import { listParam, listQuery } from "#app/features/leads/inbox/filter-schema.ts";
import { formatDay } from "#app/features/leads/inbox/lead-time.ts";
import { notSavedTexts, sourceLabels, spamLabel } from "#app/features/leads/inbox/messages.ts";
import { combinedDetails } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import { PersonNotices, SubmissionsPanel } from "#app/features/leads/inbox/merge/submissions-panel.tsx";
import { loadPerson, readMergedIds } from "#app/features/leads/inbox/merge/person-data.server.ts";
import { RepliesPanel } from "#app/features/leads/inbox/reply/replies-panel.tsx";
import { listReplies } from "#app/features/leads/inbox/reply/reply-data.server.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";

/** Opening marks as read: before the loaders, because one of them counts what isn't read for the header. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ params, request, context }, next) => {
    const { db, clock } = services(context);
    if (request.method === "GET")
      await markRead(db, { ownerId: requireUser(context).id, id: params.id, readAt: clock() });
    return next();
  },
];

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, config } = services(context);
  const ownerId = requireUser(context).id;
  const found = await findInboxLead(db, { ownerId, id: params.id });
  if (!found) throwNotFound(context, url);
  const { lead, consents } = found;
  const [choice, cards, ownTags] = [
    await findPreferences(db, ownerId),
    await listCardNames(db, ownerId),
    await listOwnTags(db, ownerId),
  ];
  const timeOf = (time: number) => formatOwnTime(time, choice);
  const originOf = (one: Lead) =>
    [sourceLabels[one.source] ?? one.source, cards.find(({ id }) => id === one.cardId)?.name]
      .filter(Boolean)
      .join(" · ");
  const { ownerId: _, merged, tags, ...shown } = lead;
  const list = listQuery(url.searchParams.get("list"));
  const replies = await listReplies(
    db,
    [lead, ...merged].map(({ id }) => id),
  );
  return {
    list,
    contact: contactOf(lead, list),
    replies: replies.map(({ sentAt, ...reply }) => ({ ...reply, time: timeOf(sentAt) })),
    lead: shown,
    tags,
    ownTags,
    title: lead.withdrawnAt === null ? leadTitle(combinedDetails(lead)) : "Consent withdrawn",
    origin: originOf(lead),
    ...(await loadPerson(db, { lead, timeOf, originOf })),
    justMerged: readMergedIds(url.searchParams, merged),
    time: timeOf(lead.createdAt),
    receivedTime: lead.receivedAt - lead.createdAt > 60_000 ? timeOf(lead.receivedAt) : undefined,
    withdrawnTime: lead.withdrawnAt === null ? undefined : timeOf(lead.withdrawnAt),
    endDay: formatOwnDate(lead.expiresAt, choice),
    followUp: lead.followUp
      ? {
          name: lead.name || lead.company,
          day: lead.followUp,
          dayText: formatDay(lead.followUp, choice),
          baseUrl: config.baseUrl,
        }
      : undefined,
    consents: consents.map(({ givenAt, withdrawnAt, ...consent }) => ({
      ...consent,
      givenTime: timeOf(givenAt),
      withdrawnTime: withdrawnAt === null ? undefined : timeOf(withdrawnAt),
    })),
    timeZone: choice.timeZone || "UTC",
  };
}

/** How to answer a person: with the details of their other leads where this one has none. */
function contactOf(lead: Person, list: string) {
  const { phone, email } = combinedDetails(lead);
  const mailed = [lead, ...lead.merged].find((one) => one.email !== "");
  const replyPath = mailed && lead.quarantinedAt === null ? `/leads/${mailed.id}/reply${listParam(list)}` : undefined;
  return { phone, email, replyPath };
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, leadForms, requireLead);
}

/** Of the notes: the page's other forms are sent without script. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<NotesResult>({ request, serverAction }, (form, failure) => ({
    typed: readTypedNotes(form),
    errors: {},
    notice: notSavedTexts[failure],
    base: fieldText(form, "base"),
  }));
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.title ?? "Lead"} | Meishi` }];
}

export default function LeadPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lead, list, title, origin, time, receivedTime, withdrawnTime, endDay, followUp, submissions, main } =
    loaderData;
  const isSpam = lead.quarantinedAt !== null;
  return (
    <Page
      title={
        <PageTitle>
          <bdi>{title}</bdi>
        </PageTitle>
      }
      back={
        main ? (
          <BackLink to={`/leads/${main.id}`}>{main.title}</BackLink>
        ) : (
          <BackLink to={`/leads${list || (isSpam ? "?view=spam" : "")}`}>
            {isSpam ? "Suspected spam" : "Leads"}
          </BackLink>
        )
      }
      intro={`${time} · ${origin}${receivedTime ? ` · Received ${receivedTime}` : ""}`}
      actions={
        <LeadActionsBar
          id={lead.id}
          title={title}
          {...loaderData.contact}
          isSpam={isSpam}
          isWithdrawn={withdrawnTime !== undefined}
          isMerged={main !== undefined}
          others={submissions.length}
        />
      }
    >
      <PersonNotices {...loaderData} />
      {isSpam && (
        <Notice tone="warning" title="Suspected spam">
          {lead.spamReasons.map(spamLabel).join(". ")}. It is deleted on {endDay} unless you move it to your inbox.
        </Notice>
      )}
      {withdrawnTime && (
        <Notice tone="warning" title="This visitor withdrew their consent">
          On {withdrawnTime}. Their details are erased; the proof that they had agreed is left until {endDay}.
        </Notice>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] lg:grid-rows-[auto_1fr]">
        {!withdrawnTime && (
          <>
            <div className="grid min-w-0 gap-5">
              <ContactPanel lead={lead} editPath={`/leads/${lead.id}/edit${listParam(list)}`} />
              {lead.answers.length > 0 && <AnswersPanel answers={lead.answers} />}
              {loaderData.replies.length > 0 && <RepliesPanel replies={loaderData.replies} sharedTime={time} />}
              {submissions.length > 0 && <SubmissionsPanel submissions={submissions} />}
            </div>
            {/* On a phone before the proof of consent, which is seldom needed. */}
            <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
              <div className="grid gap-5">
                {/* After a save it starts from what is stored, which may be more than what was typed. */}
                <NotesForm key={lead.id + notesBase(lead, loaderData.tags)} {...loaderData} result={actionData} />
                <PrintedNotes {...loaderData} followUp={followUp?.dayText ?? ""} />
                {followUp && !isSpam && <EventPanel {...followUp} leadId={lead.id} />}
              </div>
            </div>
          </>
        )}
        <div className="min-w-0">
          <ConsentPanel {...loaderData} />
        </div>
      </div>
    </Page>
  );
}
