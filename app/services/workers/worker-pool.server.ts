import { once } from "node:events";
import { Worker } from "node:worker_threads";

import PQueue from "p-queue";

import { withTimeout } from "#app/services/base/time-limit.ts";

import { shareState } from "./worker-task.server.ts";
import type { TaskRequest, TaskResponse, WorkerTask } from "./worker-task.server.ts";

export type WorkerPool = {
  /** Runs a task in a thread. Throws what the task throws, and when the thread ends, takes too long or too many tasks are waiting. */
  run: <Input, Output>(task: WorkerTask<Input, Output>, input: Input) => Promise<Output>;
  /** Ends all threads, and running tasks with an error. */
  close: () => Promise<void>;
};

type WorkerPoolOptions = {
  /** The entry file of the threads, which calls `serveTasks`. */
  file: URL;
  maxThreads?: number;
  maxWaiting?: number;
  maxTaskMs?: number;
  /** How long a thread without work stays, in milliseconds: it takes 40 to 60 MB. */
  maxIdleMs?: number;
};

/**
 * Runs work that would block the event loop in worker threads, which start when needed. A thread has one task at a time: when it crashes
 * or hangs, it is ended and no other task fails. Callers limit how many tasks they run, fairly between owners; `maxWaiting` is the last
 * bound.
 */
export function createWorkerPool({
  file,
  maxThreads = 2,
  maxWaiting = 100,
  maxTaskMs = 45_000,
  maxIdleMs = 20_000,
}: WorkerPoolOptions): WorkerPool {
  const queue = new PQueue({ concurrency: maxThreads });
  const threads = new Set<Worker>();
  /** Threads without a task, the last used one at the end, and the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  let isClosed = false;

  function startThread(): Worker {
    shareState();
    // The program's own Node options, such as a module to load first, are not for threads.
    const worker = new Worker(file, { execArgv: [], resourceLimits, stdout: true, stderr: true });
    threads.add(worker);
    // What a library prints in a thread is printed here, where it becomes a line of the log.
    for (const stream of [worker.stdout, worker.stderr])
      // oxlint-disable-next-line no-console -- not ours
      stream.on("data", (text) => console.warn(String(text).trimEnd()));
    // Without a listener, an error in a thread would end the process.
    return worker.on("error", () => endThread(worker)).on("exit", () => endThread(worker));
  }

  async function endThread(worker: Worker) {
    threads.delete(worker);
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    await worker.terminate();
  }

  function takeThread(): Worker {
    const worker = [...idle.keys()].at(-1) ?? startThread();
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    worker.ref();
    return worker;
  }

  function releaseThread(worker: Worker) {
    if (!threads.has(worker)) return;
    worker.unref();
    idle.set(worker, setTimeout(() => void endThread(worker), maxIdleMs).unref());
  }

  async function runInThread(request: TaskRequest): Promise<unknown> {
    if (isClosed) throw new Error(`The worker threads were shut down before ${request.name} started.`);
    const worker = takeThread();
    const response = await withTimeout(maxTaskMs, exchange(worker, request)).catch((error: unknown) => {
      void endThread(worker);
      throw new Error(`${request.name} did not finish in its worker thread`, { cause: error });
    });
    releaseThread(worker);
    if ("error" in response) throw response.error;
    return response.output;
  }

  return {
    run: async <Input, Output>({ name }: WorkerTask<Input, Output>, input: Input) => {
      if (queue.size >= maxWaiting)
        throw new Error(`Too many tasks are waiting for a worker thread: ${name} was refused.`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the task of this name
      return (await queue.add(() => runInThread({ name, input }))) as Output;
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...threads].map(endThread));
    },
  };
}

/**
 * A task that needs more is an error, and not the end of the process. Few megabytes for young objects, because V8 doesn't return the
 * memory of an ended thread to the system, but uses it for the next one.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 6 };

/** Sends a request to a thread and returns its response. Throws when the thread ends before. */
async function exchange(worker: Worker, request: TaskRequest): Promise<TaskResponse> {
  const settled = new AbortController();
  const { signal } = settled;
  worker.postMessage(request, []);
  try {
    const [response]: TaskResponse[] = await Promise.race([
      once(worker, "message", { signal }),
      once(worker, "exit", { signal }),
    ]);
    // The event "exit" has a number.
    if (typeof response !== "object") throw new Error("The worker thread ended.");
    return response;
  } finally {
    settled.abort();
  }
}
