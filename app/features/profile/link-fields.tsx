import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";

import { useAfterPress } from "./after-press.ts";
import type { LinkDraft } from "./draft.ts";
import type { Edit, Editing } from "./editing.ts";
import { LinkSchedule } from "./link-schedule.tsx";
import { LinkTab } from "./link-tab.tsx";

/** What a link says and where it leads, and the buttons that do what dragging does. */
export function LinkFields({ canMove, onMove, ...row }: LinkFieldsProps) {
  const { link, index, editing, dispatch, isFixed } = row;
  const { key } = link;
  const afterPress = useAfterPress();
  const type = (field: "label" | "url") => (event: { currentTarget: { value: string } }) =>
    dispatch({ kind: "link", key, change: { [field]: event.currentTarget.value } });
  const isLast = index === editing.draft.links.length - 1;
  return (
    <div className="grid gap-4 pb-5 sm:ps-9 noscript:ps-0">
      <Field
        label="Name"
        type="text"
        name={`links.${index}.label`}
        value={link.label}
        onChange={type("label")}
        error={editing.problems[`${key}.label`]}
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
        onBlur={() => afterPress(() => dispatch({ kind: "leave-url", key }))}
        error={editing.problems[`${key}.url`]}
        placeholder="https://"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <LinkTab {...row} canMove={canMove} />
      <LinkSchedule {...row} />
      <div className="flex gap-2.5 noscript:hidden">
        {/* aria-disabled and not disabled: the focus stays on the button that moved its link to the end. */}
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

export type LinkRowProps = {
  link: LinkDraft;
  index: number;
  editing: Editing;
  dispatch: (edit: Edit) => void;
  /** A save is under way: nothing changes places. */
  isFixed: boolean;
};

type LinkFieldsProps = LinkRowProps & { canMove: boolean; onMove: (to: number) => void };
