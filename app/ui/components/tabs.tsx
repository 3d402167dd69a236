import { Fragment, useId } from "react";
import type { ReactNode } from "react";

/**
 * Two or three tabs without script: they are radio buttons, so the arrow keys switch between them. `label` names the group for screen readers;
 * `selected` is the initial tab. Put forms inside the panels, not around the tabs, or the radio buttons are sent too.
 */
export function Tabs({ label, tabs, selected, onSelect, className = "" }: TabsProps) {
  const name = useId();
  const first = selected ?? tabs[0]?.id;
  return (
    <fieldset className={`ui-tabs ${className}`} aria-label={label}>
      {tabs.map((tab) => (
        <Fragment key={tab.id}>
          <label className={tabClass}>
            <input
              type="radio"
              className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
              name={name}
              value={tab.id}
              defaultChecked={tab.id === first}
              onChange={() => onSelect?.(tab.id)}
            />
            {tab.label}
            {tab.count !== undefined && <span className={badgeClass}>{tab.count}</span>}
          </label>
          <div className="ui-tab-panel">{tab.content}</div>
        </Fragment>
      ))}
    </fieldset>
  );
}

type Tab = { id: string; label: string; count?: number; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: Tab[];
  selected?: string;
  onSelect?: (id: string) => void;
  className?: string;
};

const tabClass =
  "ui-tab relative m-1 flex min-h-11 items-center justify-center gap-2 rounded-[10px] border border-transparent px-3 text-center text-sm font-semibold " +
  "text-muted hover:text-text has-checked:bg-picked has-checked:shadow-[0_1px_3px_#0003] has-checked:text-text " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text " +
  "forced-colors:has-checked:border-[Highlight]";
const badgeClass = "rounded-full bg-current/10 px-2 text-xs leading-5 tabular-nums";
