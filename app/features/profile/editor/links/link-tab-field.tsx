import { messages } from "#app/features/links/messages.ts";
import { defaultTab } from "#app/features/links/tab-rules.ts";
import { linkTexts } from "#app/features/profile/editor/form-data.ts";
import { FieldError } from "#app/ui/forms/field.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import type { LinkScheduleProps } from "./link-schedule.tsx";

/** The tab of a link: a choice, or the tab of the rule and why it can't be changed. */
export function LinkTabField({ link, index, state, dispatch, canMove }: LinkTabFieldProps) {
  const name = `links.${index}.tab`;
  const id = `${link.key}-tab`;
  const ruleLabel = tabLabels[defaultTab(link)];
  const error = state.errors[`${link.key}.tab`];
  if (!canMove)
    return (
      <div className="grid gap-2">
        <input type="hidden" name={name} value={link.tab} />
        <p className="text-sm text-muted">
          Shown on <span className="text-text">{ruleLabel}</span>.{" "}
          {link.tab === "" ? messages.tabIsPremium : messages.tabIsKept}
        </p>
        {error && <FieldError id={id}>{error}</FieldError>}
      </div>
    );
  return (
    <SelectField
      id={id}
      label={linkTexts.tab.label}
      name={name}
      value={link.tab}
      error={error}
      onChange={(tab) => dispatch({ kind: "link", key: link.key, change: { tab } })}
      options={[
        ["", `Automatic (${ruleLabel})`],
        ["professional", tabLabels.professional],
        ["personal", tabLabels.personal],
      ]}
    />
  );
}

type LinkTabFieldProps = LinkScheduleProps & {
  /** Whether the plan allows moving links to the other tab. */
  canMove: boolean;
};

const tabLabels = { professional: "Professional", personal: "Personal" };
