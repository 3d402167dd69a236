/** A waiting line for one thing: first come, first served. Throws when the turn did not come within `patience` milliseconds. */
export function takeTurns(patience: number, what: string) {
  const waiting: (() => void)[] = [];
  let taken = false;

  function take(): Promise<void> {
    if (!taken) {
      taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new Error(`Waited ${patience / 1000} s for ${what}`));
      }, patience);
      waiting.push(turn);
    });
  }

  /** Hands over to the next in line, if there is one. */
  function give() {
    const next = waiting.shift();
    if (next) next();
    else taken = false;
  }

  return { take, give };
}
