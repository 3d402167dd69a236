import { messages } from "#app/features/links/messages.ts";
import { defaultTab } from "#app/features/links/tab-rules.ts";
import { scheduleStatus } from "#app/features/links/schedule.ts";
import { toSchedule } from "./form-data.ts";
import type { LinkDraft } from "./form-data.ts";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Chevron, Icon } from "#app/ui/components/icon.tsx";
import { RowHandle } from "#app/ui/components/row-handle.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { useAfterPointerUp } from "#app/ui/forms/field-focus.ts";
import { Field, FieldError, inputClass } from "#app/ui/forms/field.tsx";

import { linkTitle } from "./form-state.ts";
import { LinkSchedule } from "./link-schedule.tsx";
import type { LinkScheduleProps } from "./link-schedule.tsx";

/** One link as a row with a drag handle, its title and its switch. The fields open below. */
export function LinkItem({ onRemove, canMove, now, ...row }: LinkItemProps) {
  const { link, index, state, dispatch, isFixed } = row;
  const { key } = link;
  const name = linkTitle(link);
  const moveTo = (to: number) => !isFixed && dispatch({ kind: "move", key, to });
  return (
    <li className={rowClass}>
      <input type="hidden" name={`links.${index}.id`} value={link.id} />
      <RowHandle {...{ name, index, isFixed }} onMove={moveTo} />
      <details
        className="group"
        open={state.openKeys.includes(key)}
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
  /** Whether the plan allows moving links to the other tab. */
  canMove: boolean;
  /** The server's time in epoch milliseconds. */
  now: number;
};

function LinkSummary({ link, now }: { link: LinkDraft; now: number }) {
  return (
    <summary className={summaryClass}>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <b className={`max-w-full truncate font-semibold ${link.on ? "" : "text-muted"}`} dir="auto">
          {linkTitle(link)}
        </b>
        <span className="max-w-full truncate text-sm text-muted" dir="ltr">
          {shortAddress(link.url)}
        </span>
        <ScheduleStatus link={link} now={now} />
      </span>
      <Chevron className="mt-3.5 self-start transition-transform group-open:rotate-180 max-[22rem]:hidden motion-reduce:transition-none" />
    </summary>
  );
}

/** The schedule's effect; nothing for a link that is off or has no schedule. */
function ScheduleStatus({ link, now }: { link: LinkDraft; now: number }) {
  const isHydrated = useIsHydrated();
  const [status, time] = scheduleStatus(toSchedule(link), now, isHydrated);
  if (!link.on || !(status || time)) return null;
  return (
    <span className="w-full text-sm text-muted">
      {status && <b className="font-medium text-text">{status}</b>} {time}
    </span>
  );
}

/** "https://www.linkedin.com/in/ada/" -> "linkedin.com/in/ada" */
function shortAddress(url: string): string {
  return url.replace(/^\s*(?:https?:\/\/)?(?:www\.)?/i, "").replace(/\/$/, "");
}

const rowClass =
  "relative bg-raised group-data-dragging/links:transition-transform motion-reduce:transition-none! data-dragged:z-10 " +
  "data-dragged:rounded-control data-dragged:shadow-card data-dragged:transition-none!";
const summaryClass =
  "flex min-h-15 list-none items-center gap-2 py-2 ps-9 pe-23 noscript:ps-0 noscript:pe-12 [&::-webkit-details-marker]:hidden";

/** A link's name, URL, tab and schedule, and buttons that move it as dragging does. */
function LinkFields({ canMove, onMove, ...row }: LinkFieldsProps) {
  const { link, index, state, dispatch, isFixed } = row;
  const { key } = link;
  const afterPointerUp = useAfterPointerUp();
  const type = (field: "label" | "url") => (event: { currentTarget: { value: string } }) =>
    dispatch({ kind: "link", key, change: { [field]: event.currentTarget.value } });
  const isLast = index === state.draft.links.length - 1;
  return (
    <div className="grid gap-4 pb-5 sm:ps-9 noscript:ps-0">
      <Field
        label="Name"
        type="text"
        name={`links.${index}.label`}
        value={link.label}
        onChange={type("label")}
        error={state.errors[`${key}.label`]}
        placeholder="Portfolio"
        dir="auto"
        autoComplete="off"
      />
      <Field
        label="URL"
        type="text"
        inputMode="url"
        name={`links.${index}.url`}
        value={link.url}
        onChange={type("url")}
        onBlur={() => afterPointerUp(() => dispatch({ kind: "leave-url", key }))}
        error={state.errors[`${key}.url`]}
        placeholder="https://"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <LinkTab {...row} canMove={canMove} />
      <LinkSchedule {...row} />
      <div className="flex gap-2.5 noscript:hidden">
        {/* Not `disabled`, which would lose the focus when the link reaches the end. */}
        <Button size="s" aria-disabled={isFixed || index === 0} onClick={() => onMove(index - 1)}>
          Move up
        </Button>
        <Button size="s" aria-disabled={isFixed || isLast} onClick={() => onMove(index + 1)}>
          Move down
        </Button>
      </div>
    </div>
  );
}

type LinkRowProps = LinkScheduleProps & {
  /** A save is running: rows don't move. */
  isFixed: boolean;
};

type LinkFieldsProps = LinkRowProps & { canMove: boolean; onMove: (to: number) => void };

/** The tab of a link: a choice on Premium; on Free the tab of the rule and why it can't be changed. */
function LinkTab({ link, index, state, dispatch, canMove }: LinkRowProps & { canMove: boolean }) {
  const name = `links.${index}.tab`;
  const id = `${link.key}-tab`;
  const ruleLabel = tabLabels[defaultTab(link)];
  const error = state.errors[`${link.key}.tab`];
  if (!canMove)
    return (
      <div className="grid gap-2">
        <input type="hidden" name={name} value={link.tab} />
        <p className="text-sm text-muted">
          Stands on the <span className="text-text">{ruleLabel}</span> tab.{" "}
          {link.tab === "" ? messages.tabIsPremium : "Where you had moved it is kept for when you have Premium again."}
        </p>
        {error && <FieldError id={id}>{error}</FieldError>}
      </div>
    );
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Tab
      </label>
      <span className="relative grid items-center">
        <select
          id={id}
          name={name}
          value={link.tab}
          onChange={(event) => dispatch({ kind: "link", key: link.key, change: { tab: event.currentTarget.value } })}
          className={`${inputClass} h-12.5 cursor-pointer appearance-none pe-11 text-text! *:bg-raised *:text-text`}
        >
          <option value="">{ruleLabel}, by the rule</option>
          <option value="professional">{tabLabels.professional}</option>
          <option value="personal">{tabLabels.personal}</option>
        </select>
        <Chevron className="pointer-events-none absolute end-4" />
      </span>
    </div>
  );
}

const tabLabels = { professional: "Professional", personal: "Personal" };
