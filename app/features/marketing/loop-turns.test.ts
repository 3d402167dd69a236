import { describe, expect, test } from "vitest";

import { bringNext, dropCovered, fadeTime, firstTurn, loadAhead, roleOf, showNext, turnTime } from "./loop-turns.ts";
import type { Turn } from "./loop-turns.ts";

const roles = (turn: Turn) => [0, 1, 2, 3].map((loop) => roleOf(loop, turn, 4));

describe("the loops behind the first screen", () => {
  test("take turns every 7 seconds, with a fade of 1.5 seconds", () => {
    expect([turnTime, fadeTime]).toEqual([7000, 1500]);
  });

  test("are there one at a time, the next one shortly before its turn", () => {
    expect(loadAhead).toBeLessThan(turnTime - fadeTime);
    expect(roles(firstTurn)).toEqual(["shown", undefined, undefined, undefined]);
    expect(roles(bringNext(firstTurn))).toEqual(["shown", "next", undefined, undefined]);
  });

  test("stay below the one that covers them until it has, and then go", () => {
    const second = showNext(bringNext(firstTurn), 4);
    expect(roles(second)).toEqual(["covered", "shown", undefined, undefined]);
    expect(roles(dropCovered(second))).toEqual([undefined, "shown", undefined, undefined]);
  });

  test("begin again after the last one", () => {
    let turn = firstTurn;
    const shown = Array.from({ length: 6 }, () => {
      const { shown } = turn;
      turn = dropCovered(showNext(bringNext(turn), 4));
      return shown;
    });
    expect(shown).toEqual([0, 1, 2, 3, 0, 1]);
    expect(roles(bringNext({ ...firstTurn, shown: 3 }))).toEqual(["next", undefined, undefined, "shown"]);
  });
});
