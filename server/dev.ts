import { createServer } from "node:http";

import { getRequestListener } from "@hono/node-server";
import pino from "pino";
import { createServer as createVite } from "vite";

import { environment, readConfig } from "#app/services/config/config.server.ts";
import { createWorkerPool } from "#app/services/workers/worker-pool.server.ts";

import type * as App from "./app.ts";
import type * as Features from "./features.ts";
import type * as ServicesModule from "./services.ts";
import type * as Sockets from "./http/sockets.ts";

/** The program of main.ts through Vite (`npm run dev`), without the page cache, so that every change shows, and without counting visits. */
async function start() {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const { config } = read;
  const log = pino({ base: null });
  const server = createServer((request, response) => {
    vite.middlewares(request, response, () => void respond(request, response));
  });
  // Vite's WebSocket uses our own port, the only one that the Content-Security-Policy allows.
  const vite = await createVite({ server: { middlewareMode: true, ws: { server } }, appType: "custom" });
  // Through Vite, so that each module exists once and is the latest version.
  const { openServices } = await load<typeof ServicesModule>("/server/services.ts");
  const { services, close } = await openServices(config, {
    migrations: "migrations",
    workers: createWorkerPool({ file: new URL("../app/worker.ts", import.meta.url) }),
    log,
  });
  services.jobs.start();
  services.events.start();
  const { features, startFeatures } = await load<typeof Features>("/server/features.ts");
  const running = startFeatures(features, services);
  const { openSockets } = await load<typeof Sockets>("/server/http/sockets.ts");
  // Vite has its own WebSocket on this port.
  server.on("upgrade", openSockets(features, services).upgrade);

  const respond = getRequestListener(async (request, env) => {
    const { createApp } = await load<typeof App>("/server/app.ts");
    const app = await createApp(services, { isCached: false });
    return app.fetch(request, env);
  });
  server.listen(config.port, config.host, () => log.info(`Meishi (development) is running at ${config.baseUrl}`));
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());

  async function load<Module>(path: string): Promise<Module> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path names the module
    return (await vite.ssrLoadModule(path)) as Module;
  }

  async function stop() {
    server.close();
    server.closeAllConnections();
    await vite.close();
    await running.stop();
    await close();
    process.exit(0);
  }
}

await start();
