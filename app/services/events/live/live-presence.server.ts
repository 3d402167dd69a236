/** How long after a visit someone counts as looking. */
export const presenceMs = 5 * 60_000;

/** Someone who was noted this recently isn't noted again. */
const noteIntervalMs = 1_000;

/** More owners, or more visitors of one, aren't told apart: the oldest are forgotten. */
const maxOwners = 5_000;
const maxVisitors = 200;

/**
 * Who visited an owner's pages in the last five minutes, in memory alone. A visitor is a number that means nothing outside of the process
 * which counted it (analytics/counting/visitor-counter.server.ts), so someone who reaches two processes counts twice.
 */
export function createPresence(clock: () => number) {
  const owners = new Map<string, Map<number, number>>();

  function note(ownerId: string, visitor: number) {
    const now = clock();
    const seen = owners.get(ownerId) ?? new Map<number, number>();
    const before = seen.get(visitor);
    // Moving the only entry of a map to its end takes longer than the rest of counting a visit.
    if (before !== undefined && now - before < noteIntervalMs) return;
    // The latest is the last in either map.
    owners.delete(ownerId);
    owners.set(ownerId, seen);
    seen.delete(visitor);
    seen.set(visitor, now);
    if (seen.size > maxVisitors) dropFirst(seen);
    if (owners.size > maxOwners) dropFirst(owners);
  }

  function count(ownerId: string): number {
    const seen = owners.get(ownerId);
    if (!seen) return 0;
    const from = clock() - presenceMs;
    for (const [visitor, at] of seen) {
      if (at > from) break;
      seen.delete(visitor);
    }
    if (seen.size === 0) owners.delete(ownerId);
    return seen.size;
  }

  return { note, count };
}

function dropFirst(map: Map<unknown, unknown>) {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
