type Limits = { atOnce?: number; maxWaiting?: number; maxWaitingEach?: number };

/**
 * Lets few work at once, the others one after the other as they came. "busy": too many wait already, in all or of the one who asks; so
 * somebody who asks for hundreds waits behind themselves alone.
 */
export function createLine({ atOnce = 2, maxWaiting = 60, maxWaitingEach = 8 }: Limits) {
  const waiting: { askedBy: string; start: () => void }[] = [];
  let busy = 0;

  return async function inTurn<T>(askedBy: string, work: () => Promise<T>): Promise<T | "busy"> {
    if (busy >= atOnce) {
      const own = waiting.filter((one) => one.askedBy === askedBy).length;
      if (waiting.length >= maxWaiting || own >= maxWaitingEach) return "busy";
      await new Promise<void>((start) => waiting.push({ askedBy, start }));
    } else busy++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else busy--;
    }
  };
}
