import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

import type { Program } from "./program.ts";

type Target = Pick<Program, "port">;

/**
 * A load balancer in front of several programs: each request goes to the next one. When a program doesn't respond, a GET or HEAD is
 * repeated once on another one, and anything else answers 502.
 */
export async function openBalancer() {
  const targets: Target[] = [];
  let next = 0;

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    const isRepeatable = request.method === "GET" || request.method === "HEAD";
    for (let tries = isRepeatable ? 2 : 1; tries > 0; tries--) {
      const answer = await send(targets[next++ % targets.length], request, body);
      if (!answer) continue;
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
      return;
    }
    response.writeHead(502).end();
  }

  const server = createServer((request, response) => void forward(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://localhost:${typeof address === "object" && address ? address.port : 0}`,
    add: (target: Target) => void targets.push(target),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Undefined when the program closes the connection without a response. */
function send(target: Target | undefined, { method, url, headers }: IncomingMessage, body: Buffer) {
  return new Promise<IncomingMessage | undefined>((resolve) => {
    const request = sendRequest({ host: "localhost", port: target?.port, method, path: url, headers });
    request.on("response", resolve);
    request.on("error", () => resolve(undefined));
    request.end(body);
  });
}
