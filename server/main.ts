import { fileURLToPath } from "node:url";

import { getRequestListener } from "@hono/node-server";

import { environment, readConfig } from "#app/services/config.server.ts";
import { isStartProblem, startProblem } from "#app/services/start-problem.ts";

import { createApp, pagesOf } from "./app.ts";
import { createPageListener } from "./cached-pages.ts";
import { keepHeartbeat } from "./heartbeat.ts";
import { createHttpServer } from "./http-server.ts";
import { openLog } from "./log.ts";
import { openServices } from "./services.ts";
import { stopOnSignal } from "./stop.ts";
import { keepTidy } from "./tidy.ts";

/** Opens everything, serves until a signal comes. */
async function start() {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  const { config } = read;
  const { log, logHit } = openLog();
  const { services, close } = await openServices(config, {
    log,
    migrations: fileURLToPath(new URL("../../migrations", import.meta.url)),
  });

  const pages = pagesOf(services);
  const app = await createApp(services, { pages, assets: fileURLToPath(new URL("../client", import.meta.url)) });
  const answerFromCache = createPageListener(pages, { counter: services.counter, logHit });
  // Monitors may ask by HTTP/1.0, which names no host.
  const answer = getRequestListener(app.fetch, { hostname: new URL(config.baseUrl).host });
  const server = createHttpServer((request, response) => {
    if (!answerFromCache(request, response)) void answer(request, response);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    await close();
    throw listenProblem(error, config.port, config.host);
  });
  services.jobs.start();
  keepTidy(services);
  const heartbeat = keepHeartbeat(services);
  stopOnSignal(server, services.log, async () => {
    await heartbeat.stop();
    await close();
  });
  services.log.info({ database: services.engine, data: config.dataDir }, `Meishi is at ${config.baseUrl}`);
  if (!services.mail.isConfigured) {
    services.log.warn("Mail is not configured (SMTP_URL): nobody can sign up or reset a password.");
  }
}

function listenProblem(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return startProblem(`Port ${port} is in use. Set PORT to a free one, or stop what uses it.`);
  if (error.code === "EACCES")
    return startProblem(
      `Port ${port} may not be opened by this user. Ports below 1024 need more rights: choose another.`,
    );
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return startProblem(`HOST ${host} is not an address of this machine.`);
  return error;
}

start().catch((error: unknown) => {
  const text = isStartProblem(error) ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`Meishi could not start: ${text}\n`);
  process.exit(1);
});
