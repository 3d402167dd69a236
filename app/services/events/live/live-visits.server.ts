import { hash, randomBytes } from "node:crypto";

type VisitsDeps = {
  /** Whether an owner has a connection to this process. */
  isHere: (ownerId: string) => boolean;
  /** Reports visits to the connections of this process. */
  report: (ownerId: string) => void;
  /** Reports visits to the other processes; undefined when there are none. */
  announce: ((visits: AnnouncedVisits) => void) | undefined;
  presence: { note: (ownerId: string, visitor: number) => void };
};

/** Whose pages were visited, and at the same place in the other list, by which visitors, as far as they are known. */
type AnnouncedVisits = { ownerIds: string[]; visitors: number[][] };

/** Collects whose pages are visited, and reports each owner at most once a second, without who came and where. */
export function createVisitReports({ isHere, report, announce, presence }: VisitsDeps) {
  const here = new Set<string>();
  const elsewhere = new Map<string, Set<number>>();
  const salt = randomBytes(32).toString("base64");
  let timer: NodeJS.Timeout | undefined;

  function add(ownerId: string, visitor?: number) {
    if (visitor !== undefined) presence.note(ownerId, visitor);
    addHere(ownerId);
    if (!announce || elsewhere.size >= maxWaiting) return;
    const visitors = elsewhere.get(ownerId) ?? new Set();
    if (visitor !== undefined && visitors.size < maxVisitors) visitors.add(visitor);
    elsewhere.set(ownerId, visitors);
    start();
  }

  /** Visits that another process has announced. */
  function receive({ ownerIds, visitors }: AnnouncedVisits) {
    for (const [index, ownerId] of ownerIds.entries()) {
      visitors[index]?.forEach((visitor) => presence.note(ownerId, visitor));
      addHere(ownerId);
    }
  }

  function addHere(ownerId: string) {
    if (!isHere(ownerId)) return;
    here.add(ownerId);
    start();
  }

  function start() {
    timer ??= setTimeout(flush, 1_000).unref();
  }

  function flush() {
    timer = undefined;
    for (const ownerId of here) report(ownerId);
    here.clear();
    const some = [...elsewhere].slice(0, maxAnnounced);
    for (const [ownerId] of some) elsewhere.delete(ownerId);
    const ownerIds = some.map(([ownerId]) => ownerId);
    if (some.length > 0)
      announce?.({ ownerIds, visitors: some.map(([, visitors]) => Array.from(visitors, announcedNumber)) });
    if (elsewhere.size > 0) start();
  }

  /**
   * Notifications may be logged by the database. From a visitor's own number the salt of the visitor counter, and with it the addresses of
   * others, could be found.
   */
  function announcedNumber(visitor: number): number {
    return Number.parseInt(hash("sha256", `${salt} ${visitor}`).slice(0, 8), 16);
  }

  return { add, receive, stop: () => clearTimeout(timer) };
}

/** With ids of 36 characters and three visitors of ten digits for each, a hint has room for 100. */
const maxAnnounced = 90;
/** More in one second are only counted by the process that they reached. */
const maxVisitors = 3;
/** More are not announced: a process on which 5,000 owners are visited within a second has other work to do. */
const maxWaiting = 5_000;
