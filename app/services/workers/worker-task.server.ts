import { parentPort } from "node:worker_threads";

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
