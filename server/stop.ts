import type { Server } from "node:http";

import type { Logger } from "pino";

/** Ten seconds are promised, on a slow machine too: after eight what is in memory is written, after nine it ends. */
const FINISH_WITHIN_MS = 8_000;
const END_WITHIN_MS = 9_000;

/** On SIGTERM or SIGINT: take no more requests, finish those that run, write what is in memory, end with 0. */
export function stopOnSignal(server: Server, log: Logger, close: () => Promise<void>) {
  let isStopping = false;

  async function stop(signal: string) {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing what runs`);
    setTimeout(() => {
      // The counters were written first; a mail that a silent server holds up is sent after the next start.
      log.warn("what still ran was left for the next start");
      process.exit(0);
    }, END_WITHIN_MS).unref();
    // A browser keeps its connection for the next request, also after the last answer that it gets.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    clearInterval(sweep);
    clearTimeout(cut);
    await close();
    process.exit(0);
  }

  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
}
