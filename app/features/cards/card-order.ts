import { useRef, useState } from "react";
import { useRevalidator } from "react-router";

import { askForChange } from "./list-answer.ts";
import type { ListAnswer } from "./list-answer.ts";
import { listWords } from "./list-words.ts";
import { movedTo } from "./card-moves.ts";
import type { ListedCard } from "./rules.ts";

/**
 * The cards in the order that their owner gives them here, saved at once. `news` is the last move in words, to be read out. A move that
 * was not saved is told through `say`, and the order is again the server's.
 */
export function useCardOrder(cards: readonly ListedCard[], say: (answer: ListAnswer) => void) {
  const { revalidate } = useRevalidator();
  const waiting = useRef<{ id: string; to: number }[]>([]);
  const [{ ids, news }, setState] = useState<{ ids: string[] | undefined; news: string }>({ ids: undefined, news: "" });
  const ordered = inOrder(cards, ids);

  /** The server hears of one move at a time: two on their way could overtake each other. */
  const save = async () => {
    for (let next = waiting.current[0]; next; next = waiting.current[0]) {
      const answer = await askForChange(`/cards/${next.id}/move`, new URLSearchParams({ to: String(next.to) }));
      if (answer.tone === "error") {
        waiting.current = [];
        setState({ ids: undefined, news: "" });
        return say(answer);
      }
      waiting.current = waiting.current.slice(1);
    }
    await revalidate();
  };
  const move = (card: ListedCard, to: number) => {
    const moved = movedTo(
      ordered.map(({ id }) => id),
      { id: card.id, to },
    );
    if (!moved || to < 0 || to >= cards.length) return;
    setState({ ids: moved, news: listWords.movedTo(card.cardName, to + 1, cards.length) });
    waiting.current = [...waiting.current, { id: card.id, to }];
    if (waiting.current.length === 1) void save();
  };
  return { ordered, move, news };
}

/** A card that came meanwhile stands on top, as new ones do. */
function inOrder(cards: readonly ListedCard[], ids: readonly string[] | undefined): ListedCard[] {
  if (!ids) return [...cards];
  const known = ids.flatMap((id) => cards.find((card) => card.id === id) ?? []);
  return [...cards.filter(({ id }) => !ids.includes(id)), ...known];
}
