import { useEffect, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import { undoSeconds } from "#app/features/leads/inbox-rules.ts";

type UndoNoticeProps = { deletedAt: number; count: number; list: string };

/** Brings back what was just deleted. With script it disappears when that is over; without, pressing it says so. */
export function UndoNotice({ deletedAt, count, list }: UndoNoticeProps) {
  const [isOver, setOver] = useState(false);
  // Only a timer can tell that it is over.
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), undoSeconds * 1000);
    return () => clearTimeout(timer);
  }, []);
  if (isOver) return null;
  const undo = (
    <form method="post" action="/leads">
      <input type="hidden" name="back" value={list} />
      <input type="hidden" name="deletedAt" value={deletedAt} />
      {/* Ten seconds are short for a keyboard that starts at the top of the page. */}
      <Button type="submit" size="s" name="intent" value="undo" autoFocus>
        Undo
      </Button>
    </form>
  );
  return (
    <Notice tone="success" title={count === 1 ? "1 lead deleted" : `${count} leads deleted`} action={undo}>
      You can undo this for {undoSeconds} seconds. Then everything about {count === 1 ? "this person" : "these people"}{" "}
      is erased.
    </Notice>
  );
}
