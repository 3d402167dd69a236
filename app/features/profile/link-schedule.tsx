import { useState } from "react";

import { scheduleWords } from "#app/features/links/schedule.ts";
import { Late } from "#app/ui/late.tsx";

import { scheduleOf } from "./draft.ts";
import type { LinkRowProps } from "./link-fields.tsx";
import { useIsHydrated } from "./local-clock.ts";

/** From when until when a link is shown: closed it says so in a line, open it has the two times. */
export function LinkSchedule({ link, index, editing, dispatch }: LinkRowProps) {
  const isHydrated = useIsHydrated();
  const problems = [editing.problems[`${link.key}.from`], editing.problems[`${link.key}.until`]] as const;
  const [isChosen, setChosen] = useState(false);
  const isOpen = isChosen || problems.some(Boolean);
  return (
    <details className="group/times" open={isOpen} onToggle={(event) => setChosen(event.currentTarget.open)}>
      <summary className={summaryLook}>
        <span className="font-medium">Schedule</span>
        <span className="min-w-0 flex-1 text-muted">{scheduleWords(scheduleOf(link), isHydrated)}</span>
        <span className="text-muted underline underline-offset-4 group-open/times:hidden">Change</span>
      </summary>
      {(["from", "until"] as const).map((end) => (
        <input key={end} type="hidden" name={`links.${index}.${end}`} value={link[end]} />
      ))}
      <div className="min-h-40 pt-2 pb-1 noscript:min-h-0">
        {isHydrated && isOpen && (
          <Late load={loadTimes} waiting={null}>
            {({ LinkTimes }) => <LinkTimes {...{ link, dispatch, problems }} />}
          </Late>
        )}
        <noscript>
          <p className="text-sm text-muted">To change these times, allow scripts. A save keeps them as they are.</p>
        </noscript>
      </div>
    </details>
  );
}

const loadTimes = () => import("./link-times.tsx");

const summaryLook =
  "flex min-h-11 cursor-pointer list-none flex-wrap content-center items-baseline gap-x-3 py-2 text-sm [&::-webkit-details-marker]:hidden";
