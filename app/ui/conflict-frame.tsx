import { Button, ButtonLink } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Two tabs saved one thing: shows what differs, and lets its owner say which one is right. "Keep mine" sends `replaces` with its form. */
export function ConflictFrame({ title, text, rows, version, formId, isSaving, otherHref, onTake }: ConflictFrameProps) {
  return (
    <Notice
      tone="warning"
      title={title}
      action={
        <>
          <Button
            type="submit"
            form={formId}
            name="replaces"
            value={version}
            size="s"
            variant="main"
            disabled={isSaving}
          >
            Keep mine
          </Button>
          <Button size="s" className="noscript:hidden" onClick={onTake}>
            Use the other one
          </Button>
          <noscript>
            <ButtonLink size="s" href={otherHref}>
              Use the other one
            </ButtonLink>
          </noscript>
        </>
      }
    >
      <p>{text}</p>
      <dl className="mt-3 mb-2 grid gap-3">
        {rows.map(({ field, mine, other }) => (
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

type ConflictFrameProps = {
  title: string;
  text: string;
  /** What differs, in words. */
  rows: readonly { field: string; mine: string; other: string }[];
  /** Of the other one, which "Keep mine" replaces. */
  version: number;
  /** Of the form that "Keep mine" sends; left out inside it. */
  formId?: string;
  isSaving?: boolean;
  /** Where the other one is, for those who run no script. */
  otherHref: string;
  onTake: () => void;
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
