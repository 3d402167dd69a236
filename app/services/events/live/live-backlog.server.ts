type Entry = { at: number; key: string; frame: Uint8Array };
type OwnEntries = { entries: Entry[]; trimmedAt: number };

type BacklogOptions = {
  clock: () => number;
  /** How much earlier than the client's position a replay begins, because another process may have received the same events in another order. */
  overlapMs: number;
};

/** The latest events of each owner in memory, for clients that connect again. The id of an event is its position: `<epoch ms>-<key>`. */
export function createBacklog({ clock, overlapMs }: BacklogOptions) {
  /** The owners in the order of their latest event. */
  const owners = new Map<string, OwnEntries>();
  let total = 0;
  let last = 0;
  /** Events up to this time may be missing, of any owner. */
  let incompleteUntil = clock();

  /** The position after everything so far. */
  function position(): string {
    last = Math.max(last, clock());
    return String(last);
  }

  /** Stores an event, whose frame `write` returns for its id. */
  function add(ownerId: string, key: string, write: (id: string) => Uint8Array): Uint8Array {
    last = Math.max(last + 1, clock());
    const entry = { at: last, key, frame: write(`${last}-${key}`) };
    const own = owners.get(ownerId) ?? { entries: [], trimmedAt: 0 };
    own.entries.push(entry);
    if (own.entries.length > maxPerOwner) own.trimmedAt = own.entries.shift()?.at ?? own.trimmedAt;
    else total++;
    owners.delete(ownerId);
    owners.set(ownerId, own);
    dropOld();
    return entry.frame;
  }

  /** Drops the owners without events for ten minutes, and the oldest when there are too many events. */
  function dropOld() {
    for (const [ownerId, { entries }] of owners) {
      const newest = entries.at(-1)?.at ?? 0;
      if (total <= maxTotal && newest > last - maxAgeMs) return;
      owners.delete(ownerId);
      total -= entries.length;
      incompleteUntil = Math.max(incompleteUntil, newest);
    }
  }

  /** The events after a position, or undefined when some may be missing. A negative position is that many milliseconds ago. */
  function readAfter(ownerId: string, id: string): Uint8Array[] | undefined {
    const isAge = /^-\d{1,6}$/.test(id);
    const [, time = "", key = ""] =
      /^(\d{1,15})(?:-([\w-]{1,64}))?$/.exec(isAge ? String(clock() + Number(id)) : id) ?? [];
    const from = Number(time) - overlapMs;
    const own = owners.get(ownerId);
    const isKnown = time !== "" && Number(time) <= Math.max(last, clock()) + overlapMs;
    if (!isKnown || from < Math.max(incompleteUntil, own?.trimmedAt ?? 0)) return undefined;
    return (own?.entries ?? []).filter((entry) => entry.at > from && entry.key !== key).map(({ frame }) => frame);
  }

  /** Forgets everything, because events may have been missed. */
  function clear() {
    owners.clear();
    total = 0;
    last = Math.max(last, clock());
    incompleteUntil = last;
  }

  return { position, add, readAfter, clear };
}

const maxPerOwner = 100;
/** About 6 MB. */
const maxTotal = 20_000;
const maxAgeMs = 10 * 60_000;
