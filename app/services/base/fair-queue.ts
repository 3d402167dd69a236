import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import type { Queue, QueueAddOptions } from "p-queue";

type FairQueueOptions = {
  /** How many tasks run at the same time. */
  concurrency: number;
  maxWaiting?: number;
  maxWaitingPerOwner?: number;
  /** How long a task waits before it is given up, in milliseconds. */
  maxWaitMs?: number;
};

export type FairQueue = <T>(owner: string, task: () => Promise<T>) => Promise<T | "busy">;

/**
 * Limits how many tasks run at the same time, fairly between their owners: an owner with sixty tasks delays only their own.
 * The returned function resolves to "busy", without running the task, when too many tasks are waiting (in total or of this owner) or when
 * the task waited too long.
 */
export function createFairQueue({
  concurrency,
  maxWaiting = Infinity,
  maxWaitingPerOwner = Infinity,
  maxWaitMs,
}: FairQueueOptions): FairQueue {
  const queue = new PQueue<OwnerRotation, TaskOptions>({ concurrency, queueClass: OwnerRotation });
  const isFull = (owner: string) =>
    queue.pending >= concurrency && (queue.size >= maxWaiting || queue.sizeBy({ owner }) >= maxWaitingPerOwner);

  return async (owner, task) => {
    if (isFull(owner)) return "busy";
    const waiting = new AbortController();
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => waiting.abort(tooLate), maxWaitMs);
    const start = () => {
      clearTimeout(timer);
      return task();
    };
    try {
      return await queue.add(start, { owner, signal: waiting.signal });
    } catch (error) {
      if (error === tooLate) return "busy";
      throw error;
    }
  };
}

const tooLate = new Error("The task waited too long in the queue.");

type Task = () => Promise<unknown>;
type TaskOptions = QueueAddOptions & { owner?: string };

/** Hands out the oldest task of the owner that was served least recently. */
class OwnerRotation implements Queue<Task, TaskOptions> {
  #waiting: { owner: string; id: string | undefined; task: Task }[] = [];
  #served = 0;
  #lastServed = new LRUCache<string, number>({ max: 1_000 });

  get size() {
    return this.#waiting.length;
  }

  enqueue(task: Task, { owner = "", id }: Partial<TaskOptions> = {}) {
    this.#waiting.push({ owner, id, task });
  }

  dequeue() {
    const lastServed = (owner: string) => this.#lastServed.get(owner) ?? 0;
    let next = this.#waiting[0];
    for (const entry of this.#waiting) if (next && lastServed(entry.owner) < lastServed(next.owner)) next = entry;
    if (!next) return undefined;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#lastServed.set(next.owner, ++this.#served);
    return next.task;
  }

  filter({ owner }: Partial<TaskOptions>) {
    return this.#waiting.filter((entry) => entry.owner === owner).map(({ task }) => task);
  }

  remove(id: string) {
    this.#waiting = this.#waiting.filter((entry) => entry.id !== id);
  }

  setPriority() {
    throw new Error("The order depends on the owners alone.");
  }
}
