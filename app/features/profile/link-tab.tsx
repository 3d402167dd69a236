import { messages } from "#app/features/links/messages.ts";
import { tabByRule } from "#app/features/links/rules.ts";
import { Chevron } from "#app/ui/chevron.tsx";
import { FieldError, inputLook } from "#app/ui/field-frame.tsx";

import type { LinkRowProps } from "./link-fields.tsx";

/** Which of the two tabs a link stands on: with Premium a choice, on Free what the rule says, and why there is no choice. */
export function LinkTab({ link, index, editing, dispatch, canMove }: LinkRowProps & { canMove: boolean }) {
  const name = `links.${index}.tab`;
  const id = `${link.key}-tab`;
  const byRule = words[tabByRule(link)];
  const problem = editing.problems[`${link.key}.tab`];
  if (!canMove)
    return (
      <div className="grid gap-2">
        <input type="hidden" name={name} value={link.tab} />
        <p className="text-sm text-muted">
          Stands on the <span className="text-text">{byRule}</span> tab.{" "}
          {link.tab === "" ? messages.tabIsPremium : "Where you had moved it is kept for when you have Premium again."}
        </p>
        {problem && <FieldError id={id}>{problem}</FieldError>}
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
          className={`${inputLook} h-12.5 cursor-pointer appearance-none pe-11 text-text! *:bg-raised *:text-text`}
        >
          <option value="">{byRule}, by the rule</option>
          <option value="professional">{words.professional}</option>
          <option value="personal">{words.personal}</option>
        </select>
        <Chevron className="pointer-events-none absolute end-4" />
      </span>
    </div>
  );
}

const words = { professional: "Professional", personal: "Personal" };
