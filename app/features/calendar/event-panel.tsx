import { ButtonLink } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { followUpTitle, googleCalendarUrl, outlookCalendarUrl } from "./rules.ts";

type EventPanelProps = { leadId: string; name: string; day: string; dayText: string; baseUrl: string };

/** Puts a lead's follow-up date into a calendar. The other sites learn of it when a link is opened. */
export function EventPanel({ leadId, name, day, dayText, baseUrl }: EventPanelProps) {
  const event = { title: followUpTitle(name), day, url: `${baseUrl}/leads/${leadId}` };
  const external = { target: "_blank", rel: "noreferrer" };
  return (
    <Panel title="Add to a calendar" className="print:hidden">
      <p className="mb-4 text-sm text-muted">
        {dayText}, all day. Google and Microsoft get the name and the date when you open their link.
      </p>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        <ButtonLink size="s" href={googleCalendarUrl(event)} {...external}>
          Google Calendar
        </ButtonLink>
        <ButtonLink size="s" href={outlookCalendarUrl(event)} {...external}>
          Outlook
        </ButtonLink>
        <ButtonLink size="s" href={`/leads/${leadId}/follow-up.ics`} download>
          Calendar file
        </ButtonLink>
      </div>
      <a
        href="/leads/notifications#calendar"
        className="mt-3 inline-flex min-h-11 items-center text-sm text-muted underline underline-offset-4 hover:text-text"
      >
        Show all follow-up dates in your calendar
      </a>
    </Panel>
  );
}
