import { getEnvironmentData, isMainThread, parentPort, setEnvironmentData } from "node:worker_threads";

/**
 * Work for a worker thread. Input and output are copied by the structured clone algorithm, so they hold plain data and bytes, no functions.
 * `run` loads its modules itself: a thread then loads only what its tasks use.
 */
export type WorkerTask<Input, Output> = { name: string; run(input: Input): Promise<Output> };

/** What the pool sends to a thread, and what it responds. */
export type TaskRequest = { name: string; input: unknown };
export type TaskResponse = { output: unknown } | { error: unknown };

/** Makes this thread run tasks, one after the other. For the entry file of worker threads. */
export function serveTasks(tasks: readonly WorkerTask<unknown, unknown>[]): void {
  const port = parentPort;
  if (!port) throw new Error("Tasks run only in worker threads.");
  port.on("message", async ({ name, input }: TaskRequest) => {
    try {
      const task = tasks.find((one) => one.name === name);
      if (!task) throw new Error(`There is no worker task named "${name}".`);
      const { output, transfer } = withTransfer(await task.run(input));
      port.postMessage({ output } satisfies TaskResponse, transfer);
    } catch (error) {
      port.postMessage({ error } satisfies TaskResponse);
    }
  });
}

/** A drawn file is moved to the other thread. Native modules return bytes that can't be moved, so they are copied here first. */
function withTransfer(output: unknown): { output: unknown; transfer: ArrayBuffer[] } {
  if (!(output instanceof Uint8Array)) return { output, transfer: [] };
  const bytes = new Uint8Array(output);
  return { output: bytes, transfer: [bytes.buffer] };
}

const sharedStateKey = "meishi once per process";
/** What runs once in the process, each with its own position in the shared state. `sample` is for the test of this. */
const slots = { "image formats": 0, sample: 1 } as const;
const [notRun, running, finished] = [0, 1, 2];
/** Far longer than it takes: only a thread that was ended in the middle of it makes others wait for so long. */
const maxWaitMs = 1_000;

/**
 * Runs `work` in the first thread that asks for it, and returns in every thread once it has ended. For settings of a native library that hold for
 * all threads, where setting them again would disturb those that use them.
 */
export function oncePerProcess(name: keyof typeof slots, work: () => void): void {
  const [state, slot] = [shareState(), slots[name]];
  const isFirst = !state || Atomics.compareExchange(state, slot, notRun, running) === notRun;
  if (!isFirst && Atomics.wait(state, slot, running, maxWaitMs) !== "timed-out") return;
  work();
  if (!state) return;
  Atomics.store(state, slot, finished);
  Atomics.notify(state, slot);
}

/** The state that all threads share, which the main thread passes on to those that it starts. Undefined where a test's thread is the main one. */
export function shareState(): Int32Array<SharedArrayBuffer> | undefined {
  if (isMainThread && getEnvironmentData(sharedStateKey) === undefined)
    setEnvironmentData(sharedStateKey, new SharedArrayBuffer(Object.keys(slots).length * Int32Array.BYTES_PER_ELEMENT));
  const shared = getEnvironmentData(sharedStateKey);
  return shared instanceof SharedArrayBuffer ? new Int32Array(shared) : undefined;
}
