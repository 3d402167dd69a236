import { scheduleMark } from "#app/features/links/schedule.ts";
import { IconButton } from "#app/ui/button.tsx";
import { Chevron } from "#app/ui/chevron.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { RowHandle } from "#app/ui/row-handle.tsx";
import { Switch } from "#app/ui/switch.tsx";

import { scheduleOf } from "./draft.ts";
import type { LinkDraft } from "./draft.ts";
import { nameOf } from "./editing.ts";
import { LinkFields } from "./link-fields.tsx";
import type { LinkRowProps } from "./link-fields.tsx";
import { useIsHydrated } from "./local-clock.ts";

/** One link as a row: where to grab it, what it is, whether it is shown. Its fields open below. */
export function LinkItem({ onRemove, canMove, now, ...row }: LinkItemProps) {
  const { link, index, editing, dispatch, isFixed } = row;
  const { key } = link;
  const name = nameOf(link);
  const moveTo = (to: number) => !isFixed && dispatch({ kind: "move", key, to });
  return (
    <li className={rowLook}>
      <input type="hidden" name={`links.${index}.id`} value={link.id} />
      <RowHandle {...{ name, index, isFixed }} onMove={moveTo} />
      <details
        className="group"
        open={editing.open.includes(key)}
        onToggle={(event) => dispatch({ kind: "open", key, isOpen: event.currentTarget.open })}
      >
        <LinkSummary link={link} now={now} />
        <LinkFields {...row} canMove={canMove} onMove={moveTo} />
      </details>
      <div className="absolute -end-3 top-2 flex items-center gap-1 noscript:end-0">
        <Switch
          label={`Show ${name}`}
          isLabelHidden
          name={`links.${index}.on`}
          checked={link.on}
          onChange={(event) => dispatch({ kind: "link", key, change: { on: event.currentTarget.checked } })}
        />
        <IconButton label={`Remove ${name}`} className="noscript:hidden" onClick={onRemove} disabled={isFixed}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
    </li>
  );
}

type LinkItemProps = LinkRowProps & {
  onRemove: () => void;
  /** Whether the plan lets a link stand on the other tab. */
  canMove: boolean;
  /** The server's time in epoch milliseconds. */
  now: number;
};

function LinkSummary({ link, now }: { link: LinkDraft; now: number }) {
  return (
    <summary className={summaryLook}>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <b className={`max-w-full truncate font-semibold ${link.on ? "" : "text-muted"}`} dir="auto">
          {nameOf(link)}
        </b>
        <span className="max-w-full truncate text-sm text-muted" dir="ltr">
          {shortAddress(link.url)}
        </span>
        <ScheduleMark link={link} now={now} />
      </span>
      <Chevron className="mt-3.5 self-start transition-transform group-open:rotate-180 max-[22rem]:hidden motion-reduce:transition-none" />
    </summary>
  );
}

/** What a time has to do with whether visitors see the link; nothing for one that is off, or always on. */
function ScheduleMark({ link, now }: { link: LinkDraft; now: number }) {
  const isHydrated = useIsHydrated();
  const [mark, more] = scheduleMark(scheduleOf(link), now, isHydrated);
  if (!link.on || !(mark || more)) return null;
  return (
    <span className="w-full text-sm text-muted">
      {mark && <b className="font-medium text-text">{mark}</b>} {more}
    </span>
  );
}

/** "https://www.linkedin.com/in/ada/" -> "linkedin.com/in/ada" */
function shortAddress(url: string): string {
  return url.replace(/^\s*(?:https?:\/\/)?(?:www\.)?/i, "").replace(/\/$/, "");
}

const rowLook =
  "relative bg-raised group-data-dragging/links:transition-transform motion-reduce:transition-none! data-dragged:z-10 " +
  "data-dragged:rounded-control data-dragged:shadow-card data-dragged:transition-none!";
const summaryLook =
  "flex min-h-15 list-none items-center gap-2 py-2 ps-9 pe-23 noscript:ps-0 noscript:pe-12 [&::-webkit-details-marker]:hidden";
