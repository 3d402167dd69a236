import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

/** A proxy to a site that sends each document in pieces of `bytes` with `ms` between them. */
export async function openSlowProxy(url: string, { bytes, ms }: { bytes: number; ms: number }) {
  const server = createServer((request, response) => {
    const bring = async () => {
      const answer = await fetch(url + request.url, { headers: { "accept-encoding": "identity" } });
      const type = answer.headers.get("content-type") ?? "";
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { "content-type": type });
      const step = type.startsWith("text/html") ? bytes : body.length || 1;
      for (let at = 0; at < body.length; at += step) {
        response.write(body.subarray(at, at + step));
        if (at + step < body.length) await pause(ms);
      }
      response.end();
    };
    // The site or the browser has closed.
    bring().catch(() => response.destroy());
  });
  return { url: `http://localhost:${await listenAnywhere(server)}`, close: () => void server.close() };
}
