import { useState } from "react";

import { parseLocalTime, toLocalTime } from "#app/features/links/local-time.ts";
import { messages } from "#app/features/links/messages.ts";
import { findScheduleErrors, formatSchedule } from "#app/features/links/schedule.ts";
import { linkTexts, toSchedule } from "#app/features/profile/editor/form-data.ts";
import type { LinkDraft } from "#app/features/profile/editor/form-data.ts";
import { Button } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { useAfterPointerUp } from "#app/ui/forms/field-focus.ts";
import { Field } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "#app/features/profile/editor/form-state.ts";

/** When a link is visible: a sentence while closed, two time fields while open. */
export function LinkSchedule({ link, index, state, dispatch }: LinkScheduleProps) {
  const isHydrated = useIsHydrated();
  const errors = [state.errors[`${link.key}.from`], state.errors[`${link.key}.until`]] as const;
  const [wasOpened, setOpened] = useState(false);
  const isOpen = wasOpened || errors.some(Boolean);
  return (
    <details className="group/part" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={partSummaryClass}>
        <span className="font-medium">Schedule</span>
        <span className="min-w-0 flex-1 text-muted">{formatSchedule(toSchedule(link), isHydrated)}</span>
        <span className="text-muted underline underline-offset-4 group-open/part:hidden">Change</span>
      </summary>
      {(["from", "until"] as const).map((end) => (
        <input key={end} type="hidden" name={`links.${index}.${end}`} value={link[end]} />
      ))}
      <div className="min-h-40 pt-2 pb-1 noscript:min-h-0">
        {isHydrated && isOpen && <LinkTimeFields {...{ link, dispatch, errors }} />}
        <noscript>
          <p className="text-sm text-muted">
            Turn on JavaScript to change these times. Saving your profile keeps them as they are.
          </p>
        </noscript>
      </div>
    </details>
  );
}

export type LinkScheduleProps = {
  link: LinkDraft;
  index: number;
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
};

/** Of the parts of a link that are closed at first. */
export const partSummaryClass =
  "flex min-h-11 cursor-pointer list-none flex-wrap content-center items-baseline gap-x-3 py-2 text-sm [&::-webkit-details-marker]:hidden";

/** Start and end as local times. */
function LinkTimeFields({ link, dispatch, errors: [from, until] }: LinkTimeFieldsProps) {
  const clear = () => dispatch({ kind: "link", key: link.key, change: { from: "", until: "" } });
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:[&_input]:px-3 lg:[&_input]:text-sm">
        <TimeField {...{ link, dispatch }} end="from" error={from} />
        <TimeField {...{ link, dispatch }} end="until" error={until} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-muted">Times are in your time zone: {timeZoneName()}.</p>
        <Button size="s" onClick={clear} aria-disabled={link.from === "" && link.until === ""}>
          Clear schedule
        </Button>
      </div>
    </div>
  );
}

type LinkTimeFieldsProps = Pick<LinkScheduleProps, "link" | "dispatch"> & {
  /** Errors of the start and of the end. */
  errors: readonly [string | undefined, string | undefined];
};

type ScheduleEnd = "from" | "until";

type TimeFieldProps = Pick<LinkScheduleProps, "link" | "dispatch"> & { end: ScheduleEnd; error: string | undefined };

/** A local time. The form submits the hidden field beside it, in epoch milliseconds, which needs no time zone. */
function TimeField({ link, end, dispatch, error }: TimeFieldProps) {
  const { key } = link;
  const stored = link[end];
  const [typed, setTyped] = useState({ stored, text: toInputValue(stored) });
  // The value was changed elsewhere: cleared, or replaced by the version of another tab.
  if (typed.stored !== stored) setTyped({ stored, text: toInputValue(stored) });

  const afterPointerUp = useAfterPointerUp();
  const change = (text: string, digits: string) => {
    setTyped({ stored: digits, text });
    dispatch({ kind: "link", key, change: { [end]: digits } });
  };
  const validate = ({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) => {
    // An incomplete date has an empty value. It must not pass as no date: the save refuses it.
    const isIncomplete = input.validity.badInput;
    if (isIncomplete) change(input.value, incompleteTime);
    const errors = isIncomplete ? { [end]: messages.unreadableDate } : findScheduleErrors(toSchedule(link));
    afterPointerUp(() => {
      for (const [name, text] of Object.entries(errors)) dispatch({ kind: "error", name: `${key}.${name}`, text });
    });
  };
  return (
    <Field
      type="datetime-local"
      label={linkTexts[end].label}
      value={typed.text}
      min="2000-01-01T00:00"
      max="2099-12-31T23:59"
      onChange={({ currentTarget: { value } }) => change(value, String(parseLocalTime(value)?.time ?? ""))}
      onBlur={validate}
      error={error}
      hint={clockChangeHint(typed.text)}
    />
  );
}

/** Not a number, so that the server refuses it. */
const incompleteTime = "?";

function toInputValue(digits: string): string {
  const { from } = toSchedule({ from: digits, until: "" });
  return from === null ? "" : toLocalTime(from);
}

/** When clocks change: how a skipped or repeated time is understood. */
function clockChangeHint(text: string): string | undefined {
  const moment = parseLocalTime(text);
  if (moment?.isSkipped)
    return `The clocks change that night and skip this time. ${toLocalTime(moment.time).slice(-5)} is used instead.`;
  return moment?.isTwice ? "The clocks change that night and repeat this time. The first one is used." : undefined;
}

function timeZoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
}
