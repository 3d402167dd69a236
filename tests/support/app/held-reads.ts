import type { Db } from "#app/services/database/database.server.ts";

/** A database whose reads can be held up after their rows were read: a request goes on only when it is released. */
export function holdReads(db: Db) {
  let left = Infinity;
  let hold: { held: () => void; released: Promise<void> } | undefined;

  async function afterRead() {
    left -= 1;
    if (left !== 0) return;
    hold?.held();
    await hold?.released;
  }

  /** Query builders have private fields, so their methods are called on themselves. */
  function wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const result: unknown = value.apply(target, args);
          if (result instanceof Promise) return result.finally(afterRead);
          return typeof result === "object" && result !== null && name !== "compile" ? wrap(result) : result;
        };
      },
    });
  }

  return {
    db: wrap(db),
    /** Holds up the request that makes the `nth` read from now on. `held` resolves when it waits; `release` lets it go on. */
    holdAfter(nth: number): { held: Promise<void>; release: () => void } {
      const held = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      left = nth;
      hold = { held: held.resolve, released: released.promise };
      return { held: held.promise, release: released.resolve };
    },
  };
}
