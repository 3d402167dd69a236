import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import { HourField } from "./hour-field.tsx";
import type { NoticeTiming } from "./rules.ts";

type MailPanelProps = {
  timing: NoticeTiming;
  hour: number;
  address: string;
  isConfirmed: boolean;
  timeZone: string;
  isBusy: boolean;
};

/** When the owner is mailed about leads. */
export function MailPanel({ timing, hour, address, isConfirmed, timeZone, isBusy }: MailPanelProps) {
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
