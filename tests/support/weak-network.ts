import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

/** A way to a server that a test can cut, or make swallow all that is said. `url` leads through it. */
export async function openWeakNetwork(serverUrl: string) {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (!isSilent) to.write(data);
      });
      from.on("error", () => from.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });

  async function listen(port: number) {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  function breakAll() {
    for (const socket of sockets) socket.destroy();
  }

  const port = await listen(0);
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    /** Breaks what is open and refuses what is new, as while a server is down. */
    cut: () => {
      server.close();
      breakAll();
    },
    restore: () => listen(port),
    /** Takes everything and answers nothing, as a server does that is frozen or behind a dead line. */
    silence: (silent: boolean) => {
      isSilent = silent;
      // What was swallowed never comes: those connections are of no use any more.
      if (!silent) breakAll();
    },
    close: () => {
      if (server.listening) server.close();
      breakAll();
    },
  };
}
