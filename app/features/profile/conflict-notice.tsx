import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import { differences } from "./draft.ts";
import type { Edit, Editing, Stored } from "./editing.ts";
import { messages } from "./messages.ts";

/** Two tabs saved one profile: shows what differs, and lets its owner say which one is right. */
export function ConflictNotice({ editing, other, formId, isSaving, dispatch }: ConflictNoticeProps) {
  return (
    <Notice
      tone="warning"
      title={messages.conflict.title}
      action={
        <>
          <Button
            type="submit"
            form={formId}
            name="replaces"
            value={other.version}
            size="s"
            variant="main"
            disabled={isSaving}
          >
            Keep mine
          </Button>
          <Button size="s" className="noscript:hidden" onClick={() => dispatch({ kind: "take", stored: other })}>
            Use the other one
          </Button>
          <noscript>
            <ButtonLink size="s" href="/profile">
              Use the other one
            </ButtonLink>
          </noscript>
        </>
      }
    >
      <p>{messages.conflict.text}</p>
      <dl className="mt-3 mb-2 grid gap-3">
        {differences(editing.draft, other.draft).map(({ field, mine, other }) => (
          <div key={field} className="grid gap-1">
            <dt className="font-medium text-text">{field}</dt>
            <Version title="Yours" text={mine} />
            <Version title="The other one" text={other} />
          </div>
        ))}
      </dl>
    </Notice>
  );
}

type ConflictNoticeProps = {
  editing: Editing;
  other: Stored;
  formId: string;
  isSaving: boolean;
  dispatch: (edit: Edit) => void;
};

function Version({ title, text }: { title: string; text: string }) {
  return (
    <dd className="grid gap-x-3 sm:grid-cols-[7rem_1fr]">
      <span>{title}</span>
      <span dir="auto" className="line-clamp-6 whitespace-pre-line text-text">
        {text || "(empty)"}
      </span>
    </dd>
  );
}
