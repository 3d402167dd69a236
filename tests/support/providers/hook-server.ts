import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

type ReceivedHook = { method: string; path: string; headers: Record<string, string>; body: string };

/** A server of a test that gets webhooks. `answer` responds; by default with 200. */
export async function openHookServer(
  answer: (response: ServerResponse, hook: ReceivedHook) => void = (r) => r.end("ok"),
) {
  const received: ReceivedHook[] = [];
  const state = { answer };
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const hook = { method: request.method ?? "", path: request.url ?? "", headers, body };
        received.push(hook);
        state.answer(response, hook);
      },
      () => undefined,
    );
  });
  const port = await listenAnywhere(server);
  const stopListening = () => {
    server.close();
    server.closeAllConnections();
  };
  cleanUpAfterTest(stopListening);
  return { origin: `http://127.0.0.1:${port}`, received, state, stopListening };
}
