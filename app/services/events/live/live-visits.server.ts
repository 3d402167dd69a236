type VisitsDeps = {
  /** Whether an owner has a connection to this process. */
  isHere: (ownerId: string) => boolean;
  /** Reports visits to the connections of this process. */
  report: (ownerId: string) => void;
  /** Reports visits to the other processes; undefined when there are none. */
  announce: ((ownerIds: string[]) => void) | undefined;
};

/** Collects whose pages are visited, and reports each owner at most once a second, without who came and where. */
export function createVisitReports({ isHere, report, announce }: VisitsDeps) {
  const here = new Set<string>();
  const elsewhere = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function add(ownerId: string) {
    addHere(ownerId);
    if (!announce || elsewhere.size >= maxWaiting) return;
    elsewhere.add(ownerId);
    start();
  }

  /** A visit that another process has announced. */
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
    for (const ownerId of some) elsewhere.delete(ownerId);
    if (some.length > 0) announce?.(some);
    if (elsewhere.size > 0) start();
  }

  return { add, addHere, stop: () => clearTimeout(timer) };
}

/** With ids of 36 characters, a hint has room for 200. */
const maxAnnounced = 150;
/** More are not announced: a process on which 5,000 owners are visited within a second has other work to do. */
const maxWaiting = 5_000;
