import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import { differences } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import type { StoredText } from "./editing.ts";
import { messages } from "./messages.ts";

/** Two tabs saved one card: shows what differs, and lets its owner say which one is right. Stands inside the form. */
export function ConflictNotice({ cardId, mine, other, onTake }: ConflictNoticeProps) {
  return (
    <>
      {/* The first button of a form is the one that Enter in a field presses: it must not be "Keep mine". */}
      <button hidden />
      <Notice
        tone="warning"
        title={messages.conflict.title}
        action={
          <>
            <Button type="submit" name="replaces" value={other.version} size="s" variant="main">
              Keep mine
            </Button>
            <Button size="s" className="noscript:hidden" onClick={() => onTake(other)}>
              Use the other one
            </Button>
            <noscript>
              <ButtonLink size="s" href={`/cards/edit/${cardId}`}>
                Use the other one
              </ButtonLink>
            </noscript>
          </>
        }
      >
        <p>{messages.conflict.text}</p>
        <dl className="mt-3 grid gap-3">
          {differences(mine, other.text).map(({ field, mine, other }) => (
            <div key={field} className="grid gap-1">
              <dt className="font-medium text-text">{field}</dt>
              <Version title="Yours" text={mine} />
              <Version title="The other one" text={other} />
            </div>
          ))}
        </dl>
      </Notice>
    </>
  );
}

type ConflictNoticeProps = { cardId: string; mine: CardText; other: StoredText; onTake: (other: StoredText) => void };

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
