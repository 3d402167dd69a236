import { Form } from "react-router";

import { Notice } from "#app/ui/components/notice.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { maxEvents, pastDays } from "./rules.ts";

type CalendarPanelProps = {
  /** Undefined without a secret address. Times as the owner reads them. */
  feed: { createdTime: string; fetchedTime: string | undefined } | undefined;
  /** The address that was just created. It isn't shown again. */
  newUrl: string | undefined;
  /** The owner comes back from the proof that a new address asks for. */
  isConfirmed: boolean;
  isBusy: boolean;
};

/** The owner's calendar of follow-up dates. */
export function CalendarPanel({ feed, newUrl, isConfirmed, isBusy }: CalendarPanelProps) {
  const createLabel = feed ? "Replace the address" : "Create an address";
  return (
    <Panel title="Calendar" id="calendar">
      <div className="grid gap-5">
        <div className="grid gap-1 text-sm text-muted">
          <p>Your follow-up dates in your own calendar. It reads them from a secret address every few hours.</p>
          <details>
            <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 hover:text-text">
              What gets shared
            </summary>
            <p>
              Anyone who has the address sees the names of the leads with a date, the dates, and links that only you can
              open; no other details. It has at most {maxEvents} dates, from {pastDays} days ago on, of leads that
              aren’t won or lost.
            </p>
          </details>
        </div>
        {newUrl && <NewAddress url={newUrl} />}
        {isConfirmed && <ConfirmedNotice button={createLabel} />}
        {feed && (
          <p className="text-sm">
            Your address was created on {feed.createdTime}.{" "}
            {feed.fetchedTime
              ? `A calendar last checked it on ${feed.fetchedTime}.`
              : "No calendar has checked it yet."}
          </p>
        )}
        <Form method="post" preventScrollReset className="flex flex-wrap gap-2.5 max-sm:*:grow">
          <Button type="submit" size="s" name="intent" value="create-calendar" aria-disabled={isBusy}>
            {createLabel}
          </Button>
          {feed && (
            <Button
              type="submit"
              size="s"
              variant="danger"
              name="intent"
              value="revoke-calendar"
              aria-disabled={isBusy}
            >
              Revoke the address
            </Button>
          )}
        </Form>
        {feed && (
          <p className="text-sm text-muted">Either way, calendars that use the current address stop updating.</p>
        )}
      </div>
    </Panel>
  );
}

function NewAddress({ url }: { url: string }) {
  return (
    <Notice
      tone="success"
      title="Copy the address now"
      action={
        <ButtonLink size="s" href={url.replace(/^https?:/, "webcal:")}>
          Open in a calendar app
        </ButtonLink>
      }
    >
      <div className="grid gap-3">
        <p>
          It isn’t shown again. In Google Calendar, paste it under “Other calendars”, “From URL”; in Outlook, under “Add
          calendar”, “Subscribe from web”.
        </p>
        <CopyField label="Secret address" value={url} button="Copy" />
      </div>
    </Notice>
  );
}
