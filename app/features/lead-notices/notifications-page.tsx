import { data, Form, useNavigation } from "react-router";
import { z } from "zod";

import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";
import { isFresh, takeTyped } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { createCalendar, revokeCalendar } from "#app/features/calendar/calendar-action.server.ts";
import { CalendarPanel } from "#app/features/calendar/calendar-panel.tsx";
import { findFeed } from "#app/features/calendar/data.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ButtonLink, Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/notifications-page.ts";
import { changeChat, endChat, readTypedChat, testChat } from "./chat/chat-action.server.ts";
import type { ChatResult } from "./chat/chat-action.server.ts";
import { findChat } from "./chat/chat-data.server.ts";
import { ChatPanel } from "./chat/chat-panel.tsx";
import { findMailNotice, saveNotice } from "./data.server.ts";
import { addAddress, removeAddress } from "./forwarding/forwarding-action.server.ts";
import type { ForwardRejection } from "./forwarding/forwarding-action.server.ts";
import { ForwardingPanel } from "./forwarding/forwarding-panel.tsx";
import { listForwards, maxForwards } from "./forwarding/forwards-data.server.ts";
import type { Forward } from "./forwarding/forwards-data.server.ts";
import { HourField } from "./hour-field.tsx";
import { noticeTimings } from "./rules.ts";
import type { NoticeTiming } from "./rules.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db } = services(context);
  const ownerId = requireUser(context).id;
  const [notice, choice, address, feed, forwards, chat] = await Promise.all([
    findMailNotice(db, ownerId),
    findPreferences(db, ownerId),
    findAddress(db, ownerId),
    findFeed(db, ownerId),
    listForwards(db, ownerId),
    findChat(services(context), ownerId),
  ]);
  const { fields: typed, headers } = takeTyped(context, { request, url });
  const loaded = {
    mail: {
      timing: notice.timing,
      hour: notice.hour,
      address: address?.email ?? "",
      isConfirmed: !!address?.isConfirmed,
    },
    forwards: forwards.map((forward) => ({
      id: forward.id,
      address: forward.address,
      ...describeForward(forward, choice),
    })),
    canForward: forwards.length < maxForwards,
    chat: chat && {
      timing: chat.timing,
      hour: chat.hour,
      shownAddress: chat.shownAddress,
      state: chat.sentAt === 0 ? "No leads sent yet" : `Last sent ${formatOwnTime(chat.sentAt, choice)}`,
      error: chat.failedAt === null ? undefined : `${formatOwnTime(chat.failedAt, choice)}: ${chat.lastError}`,
    },
    calendar: feed && {
      createdTime: formatOwnTime(feed.createdAt, choice),
      fetchedTime: feed.fetchedAt === null ? undefined : formatOwnTime(feed.fetchedAt, choice),
    },
    timeZone: (choice.timeZone || "UTC").replaceAll("_", " "),
    typed: typed && readTypedForm(typed),
    isConfirmed: isFresh(context),
  };
  return data(loaded, { headers });
}

/** The form that waited for the proof, with what was typed. */
function readTypedForm(fields: Record<string, string>) {
  const { intent, address } = fields;
  return {
    forward: intent === "add-forward" ? address : undefined,
    chat: intent === "save-chat" ? readTypedChat(fields) : undefined,
    isCalendar: intent === "create-calendar",
  };
}

/** What an owner reads about an address, in their own time. */
function describeForward({ confirmedAt, sentAt, failedAt }: Forward, choice: DateChoice) {
  const sent = sentAt === null ? "No leads sent yet" : `Last sent ${formatOwnTime(sentAt, choice)}`;
  return {
    state: confirmedAt === null ? "Waiting for someone there to confirm it" : sent,
    error: failedAt === null ? undefined : `Couldn’t be sent ${formatOwnTime(failedAt, choice)}. We’ll try again.`,
  };
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, {
    mail: saveMail,
    "create-calendar": createCalendar,
    "revoke-calendar": revokeCalendar,
    "add-forward": addAddress,
    "remove-forward": removeAddress,
    "save-chat": changeChat,
    "test-chat": testChat,
    "remove-chat": endChat,
  });
}

const mailForm = z.object({ timing: z.enum(noticeTimings), hour: z.coerce.number().int().min(0).max(23) });

async function saveMail({ all, ownerId, text }: SentForm) {
  const read = mailForm.safeParse({ timing: text("timing"), hour: text("hour") });
  if (!read.success) throw data(null, { status: 400 });
  await saveNotice(all.db, all, { ownerId, channel: "mail", ...read.data });
  return redirectWithToast("/leads/notifications", { title: "Saved", tone: "success" });
}

export function meta() {
  return [{ title: "Lead notifications | Meishi" }];
}

export default function NotificationsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { mail, forwards, canForward, chat, calendar, timeZone, typed, isConfirmed } = loaderData;
  const result: Partial<ForwardRejection & ChatResult & { calendarUrl: string }> = actionData ?? {};
  const isNext = isConfirmed && !actionData;
  const { formData } = useNavigation();
  const intent = formData ? fieldText(formData, "intent") : "";
  return (
    <Page
      width="form"
      title="Lead notifications"
      back={<BackLink to="/leads">Leads</BackLink>}
      intro="How you find out when visitors share their contact with you."
    >
      <Form method="post" preventScrollReset key={`${mail.timing} ${mail.hour}`}>
        <MailPanel {...mail} timeZone={timeZone} isBusy={intent === "mail"} />
      </Form>
      <ForwardingPanel
        forwards={forwards}
        canAdd={canForward}
        typed={result.forward?.typed ?? typed?.forward}
        error={result.forward?.error}
        isConfirmed={isNext && typed?.forward !== undefined}
        isBusy={intent.endsWith("-forward")}
      />
      <ChatPanel
        chat={chat}
        timeZone={timeZone}
        result={result.chat ?? (typed?.chat && { typed: typed.chat })}
        isConfirmed={isNext && typed?.chat !== undefined}
        isBusy={intent.endsWith("-chat")}
      />
      <CalendarPanel
        feed={calendar}
        newUrl={result.calendarUrl}
        isConfirmed={isNext && !!typed?.isCalendar}
        isBusy={intent.endsWith("-calendar")}
      />
      <Panel title="Webhooks">
        <p className="text-sm text-muted">
          Send each lead to your own server, a CRM or an automation service as soon as it arrives.
        </p>
        <ButtonLink size="s" href="/webhooks" className="mt-4 max-sm:w-full">
          Webhooks
        </ButtonLink>
      </Panel>
    </Page>
  );
}

type MailPanelProps = {
  timing: NoticeTiming;
  hour: number;
  address: string;
  isConfirmed: boolean;
  timeZone: string;
  isBusy: boolean;
};

/** When the owner is mailed about leads. */
function MailPanel({ timing, hour, address, isConfirmed, timeZone, isBusy }: MailPanelProps) {
  return (
    <Panel title="Email to you">
      <div className="group/mail grid gap-5">
        {!isConfirmed && (
          <Notice tone="warning" title="No emails are sent yet">
            Confirm your email address first: <a href="/account">Account</a>
          </Notice>
        )}
        <ChoiceField label="When someone shares their contact" name="timing" options={timingOptions} value={timing} />
        <p className="text-sm text-muted">
          To <span className="wrap-anywhere">{address}</span>, with the name and a link to the lead. When many come in,
          one email lists them all: every ten minutes, or every hour on a busy day. It also says, at most once an hour,
          when leads wait for your review.
        </p>
        <div className="hidden group-has-[[value=daily]:checked]/mail:block">
          <HourField id="mail-hour" hour={hour} timeZone={timeZone} />
        </div>
        <Button
          type="submit"
          variant="main"
          size="s"
          name="intent"
          value="mail"
          aria-disabled={isBusy}
          className="sm:justify-self-start"
        >
          {isBusy ? "Saving..." : "Save"}
        </Button>
      </div>
    </Panel>
  );
}

const timingOptions = [
  { id: "now", label: "Right away" },
  { id: "daily", label: "Once a day" },
  { id: "off", label: "Off" },
] as const;
