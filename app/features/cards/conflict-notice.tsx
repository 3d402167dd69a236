import { ConflictFrame } from "#app/ui/conflict-frame.tsx";

import { differences } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import type { StoredText } from "./editing.ts";
import { messages } from "./messages.ts";

/** Two tabs saved one card. Stands inside the form. */
export function ConflictNotice({ cardId, mine, other, onTake }: ConflictNoticeProps) {
  return (
    <>
      {/* The first button of a form is the one that Enter in a field presses: it must not be "Keep mine". */}
      <button hidden />
      <ConflictFrame
        {...messages.conflict}
        rows={differences(mine, other.text)}
        version={other.version}
        otherHref={`/cards/edit/${cardId}`}
        onTake={() => onTake(other)}
      />
    </>
  );
}

type ConflictNoticeProps = { cardId: string; mine: CardText; other: StoredText; onTake: (other: StoredText) => void };
