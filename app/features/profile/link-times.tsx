import { useState } from "react";

import { localText, momentOf } from "#app/features/links/local-time.ts";
import { messages } from "#app/features/links/messages.ts";
import { scheduleProblems } from "#app/features/links/schedule.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";

import { useAfterPress } from "./after-press.ts";
import { scheduleOf } from "./draft.ts";
import type { LinkRowProps } from "./link-fields.tsx";

/** The two ends of a link's schedule as times on the owner's clock. */
export function LinkTimes({ link, dispatch, problems: [from, until] }: LinkTimesProps) {
  const clear = () => dispatch({ kind: "link", key: link.key, change: { from: "", until: "" } });
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TimeField {...{ link, dispatch }} end="from" error={from} />
        <TimeField {...{ link, dispatch }} end="until" error={until} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-muted">Times of your own zone, {ownZone()}.</p>
        <Button size="s" onClick={clear} aria-disabled={link.from === "" && link.until === ""}>
          Clear schedule
        </Button>
      </div>
    </div>
  );
}

type LinkTimesProps = Pick<LinkRowProps, "link" | "dispatch"> & {
  /** What is wrong with the start, and with the end. */
  problems: readonly [string | undefined, string | undefined];
};

type End = "from" | "until";

type TimeFieldProps = Pick<LinkRowProps, "link" | "dispatch"> & { end: End; error: string | undefined };

/** A time on the owner's clock. The form sends the hidden field beside it, which says the same moment wherever it is read. */
function TimeField({ link, end, dispatch, error }: TimeFieldProps) {
  const { key } = link;
  const stored = link[end];
  const [typed, setTyped] = useState({ stored, text: textOf(stored) });
  // It was changed from elsewhere: cleared, or taken from another tab.
  if (typed.stored !== stored) setTyped({ stored, text: textOf(stored) });

  const afterPress = useAfterPress();
  const say = (text: string, digits: string) => {
    setTyped({ stored: digits, text });
    dispatch({ kind: "link", key, change: { [end]: digits } });
  };
  const leave = ({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) => {
    // Half a date has no value: it is neither taken for none nor lost, the save asks for the rest.
    const isHalf = input.validity.badInput;
    if (isHalf) say(input.value, unfinished);
    const problems = isHalf ? { [end]: messages.unreadableDate } : scheduleProblems(scheduleOf(link));
    afterPress(() => {
      for (const [name, text] of Object.entries(problems)) dispatch({ kind: "problem", name: `${key}.${name}`, text });
    });
  };
  return (
    <Field
      type="datetime-local"
      label={end === "from" ? "Show from" : "Show until"}
      value={typed.text}
      min="2000-01-01T00:00"
      max="2099-12-31T23:59"
      onChange={({ currentTarget: { value } }) => say(value, String(momentOf(value)?.time ?? ""))}
      onBlur={leave}
      error={error}
      hint={jumpOf(typed.text)}
    />
  );
}

/** No digits: the server refuses it beside its field. */
const unfinished = "?";

function textOf(digits: string): string {
  const { from } = scheduleOf({ from: digits, until: "" });
  return from === null ? "" : localText(from);
}

/** On the two nights of a year on which clocks jump, what a time is taken for. */
function jumpOf(text: string): string | undefined {
  const moment = momentOf(text);
  if (moment?.isSkipped) return `Clocks skip this time: it is taken as ${localText(moment.time).slice(-5)}.`;
  return moment?.isTwice ? "Clocks show this time twice that night: the first is meant." : undefined;
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
}
