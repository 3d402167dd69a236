import { Fragment, useState } from "react";
import { Link } from "react-router";

import { leadPath } from "#app/features/leads/inbox/filter-schema.ts";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Checkbox } from "#app/ui/forms/checkbox-field.tsx";

import type { ListedLead } from "./listed-lead-row.server.ts";
import { SelectionBar, selectionId } from "./selection-bar.tsx";
import type { RefusedTag } from "./selection-bar.tsx";

type InboxFormProps = {
  leads: readonly ListedLead[];
  /** The query string of this page. */
  list: string;
  isSpam: boolean;
  tags: readonly string[];
  /** A tag that wasn't added, why, and the leads that it was for. */
  refused?: RefusedTag;
};

/** The leads with a checkbox each, and what can be done with those that are selected. Works without script. Returns to the page that it is on. */
export function InboxForm({ leads, list, isSpam, tags, refused }: InboxFormProps) {
  const [selected, setSelected] = useState(refused?.ids.length);
  return (
    <form
      method="post"
      action={`/leads${list}`}
      onChange={({ currentTarget: form }) => {
        updateSelectAll(form);
        setSelected(leadBoxes(form).filter(({ checked }) => checked).length);
      }}
      className="group/inbox grid gap-4"
    >
      <input type="hidden" name="back" value={list} />
      {/* For exports, which read the address. */}
      {isSpam && <input type="hidden" name="view" value="spam" />}
      <div className="overflow-clip rounded-card border border-line bg-raised">
        {leads.length > 1 && <SelectAll count={leads.length} />}
        {[...Map.groupBy(leads, ({ day }) => day)].map(([day, leadsOfDay], index) => (
          <Fragment key={day}>
            <h2
              id={`day-${index}`}
              className="border-b border-line bg-higher px-4 py-1.5 text-sm font-semibold text-muted print:break-after-avoid"
            >
              {day}
            </h2>
            <ul aria-labelledby={`day-${index}`} className="border-b border-line last:border-0">
              {leadsOfDay.map((lead) => (
                <LeadItem
                  key={lead.id}
                  {...lead}
                  path={leadPath(lead.id, list)}
                  isSelected={refused?.ids.includes(lead.id)}
                />
              ))}
            </ul>
          </Fragment>
        ))}
      </div>
      <SelectionBar isSpam={isSpam} tags={tags} refused={refused} selected={selected} />
    </form>
  );
}

/** Selects or clears "Select all" when the last lead is selected by hand, or one isn't anymore. */
function updateSelectAll(form: HTMLFormElement) {
  const all = form.querySelector<HTMLInputElement>("[data-select-all]");
  if (all) all.checked = leadBoxes(form).every(({ checked }) => checked);
}

function leadBoxes(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? [])];
}

/** Only script can select all of them. */
function SelectAll({ count }: { count: number }) {
  if (!useIsHydrated()) return null;
  return (
    <label className="flex min-h-12 items-center border-b border-line pe-4 text-sm text-muted print:hidden">
      <Checkbox
        autoComplete="off"
        className="mx-3.5"
        data-select-all
        onChange={({ currentTarget: { checked, form } }) => {
          for (const box of leadBoxes(form)) box.checked = checked;
        }}
      />
      Select all {count} on this page
    </label>
  );
}

type LeadItemProps = ListedLead & { path: string; isSelected?: boolean };

function LeadItem({
  id,
  path,
  title,
  isRead,
  isWithdrawn,
  contacts,
  note,
  printed,
  time,
  printedTime,
  iso,
  ...lead
}: LeadItemProps) {
  return (
    <li className="group/lead relative flex items-start border-b border-line last:border-0 has-checked:bg-higher print:break-inside-avoid">
      <label htmlFor={`select-${id}`} className="grid w-12 shrink-0 place-items-center self-stretch print:hidden">
        <Checkbox
          id={`select-${id}`}
          name="id"
          value={id}
          defaultChecked={lead.isSelected}
          data-merged={lead.submissions > 1 || undefined}
          autoComplete="off"
          aria-label={`Select ${title}`}
          className={aboveBarClass}
        />
      </label>
      {/* Without it, the keyboard would pass all leads below. */}
      <a href={`#${selectionId}`} className={`hidden group-has-checked/lead:block ${toSelectionClass}`}>
        Go to the actions
      </a>
      <Link
        to={path}
        className="grid scroll-mb-36 min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 py-3.5 pe-4 no-underline hover:bg-higher focus-visible:-outline-offset-2 print:ps-4"
      >
        <span className="flex min-w-0 items-baseline gap-2">
          {!isRead && <UnreadMark />}
          <span
            dir="auto"
            className={`${lineClass} ${isRead ? "font-medium" : "font-semibold"} ${isWithdrawn ? "text-muted italic" : ""}`}
          >
            {title}
          </span>
        </span>
        <time dateTime={iso} className="text-sm text-muted tabular-nums">
          <span className="print:hidden">{time}</span>
          <span className="hidden print:inline">{printedTime}</span>
        </time>
        {contacts.length > 0 && (
          // The line starts below the name, also when one of them is from right to left.
          <span className={`col-span-2 text-sm text-muted ${lineClass}`}>{contacts.map(isolate).join(" · ")}</span>
        )}
        {note && (
          <span dir="auto" className={`col-span-2 text-left text-sm ${lineClass}`}>
            {note}
          </span>
        )}
        {printed.map((text) => (
          <span
            key={text}
            dir="auto"
            className="col-span-2 hidden text-sm whitespace-pre-line wrap-anywhere print:block"
          >
            {text}
          </span>
        ))}
        <LeadMarks {...lead} />
      </Link>
    </li>
  );
}

/** Scrolled into view by the keyboard, it isn't behind the bar at the bottom. */
const aboveBarClass = "[&>input]:scroll-mb-36";
const toSelectionClass =
  "sr-only rounded-control bg-main text-sm font-semibold text-on-main no-underline focus:not-sr-only focus:absolute " +
  "focus:start-12 focus:top-1.5 focus:z-10 focus:px-4 focus:py-2.5";

/** Text whose direction doesn't change that of its neighbors (Unicode FSI and PDI), like `<bdi>` where only text may be. */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

/** One line on a screen, below the name also from right to left; all of it on paper. */
const lineClass = "truncate print:overflow-visible print:whitespace-pre-line print:wrap-anywhere";

function UnreadMark() {
  return (
    <span className="size-2.5 shrink-0 self-center rounded-full bg-main print:hidden">
      <span className="sr-only">Unread: </span>
    </span>
  );
}

type LeadMarksProps = Pick<ListedLead, "status" | "tags" | "origin" | "followUp" | "submissions" | "isDuplicate">;

function LeadMarks({ status, tags, origin, followUp, submissions, isDuplicate }: LeadMarksProps) {
  return (
    <span className="col-span-2 mt-1 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-xs text-muted">
      {isDuplicate && <span className={`${badgeClass} font-semibold text-warning`}>Possible duplicate</span>}
      {submissions > 1 && <span className={badgeClass}>{submissions} submissions</span>}
      {status && <span className={`${badgeClass} font-semibold text-text`}>{status}</span>}
      {followUp && (
        <span className={`${badgeClass} ${followUp.isDue ? "font-semibold text-warning" : ""}`}>{followUp.text}</span>
      )}
      {tags.map((tag) => (
        <span key={tag} dir="auto" className={`${badgeClass} max-w-40 truncate print:max-w-none`}>
          {tag}
        </span>
      ))}
      <span dir="auto">{origin}</span>
    </span>
  );
}

const badgeClass = "rounded-full border border-line-strong px-2 py-0.5";
