/**
 * A waiting line for one thing. Of those who wait the one comes next who has not had it for longest, so whoever stands there sixty times
 * does so behind everybody else; each one's own turns, and all of those who say nothing of who they are, come in their order. Throws when
 * a turn did not come within `patience` milliseconds.
 */
export function takeTurns(patience: number, what: string) {
  const waiting: Turn[] = [];
  /** When somebody had it last, counted in turns, as long as anybody waits. */
  const served = new Map<string, number>();
  let turns = 0;
  let taken = false;

  function note(whose: string) {
    if (whose !== "") served.set(whose, ++turns);
  }

  function take(whose = ""): Promise<void> {
    if (!taken) {
      taken = true;
      note(whose);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const turn = { whose, start };
      function start() {
        clearTimeout(timer);
        resolve();
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new Error(`Waited ${patience / 1000} s for ${what}`));
      }, patience);
      waiting.push(turn);
    });
  }

  /** Hands over to the next, if there is one. */
  function give() {
    const lastOf = ({ whose }: Turn) => served.get(whose) ?? 0;
    let [next] = waiting;
    if (!next) {
      taken = false;
      served.clear();
      return;
    }
    for (const one of waiting) {
      if (lastOf(next) === 0) break;
      if (lastOf(one) < lastOf(next)) next = one;
    }
    waiting.splice(waiting.indexOf(next), 1);
    note(next.whose);
    next.start();
  }

  return { take, give };
}

type Turn = { whose: string; start: () => void };
