import { fileURLToPath } from "node:url";

import { getRequestListener } from "@hono/node-server";

import { isStartProblem, startProblem } from "#app/services/base/errors.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { Metrics } from "#app/services/metrics/metrics.server.ts";
import { createWorkerPool } from "#app/services/workers/worker-pool.server.ts";
import { hashProgram } from "#app/services/pages/build-id.server.ts";

import { createApp, openPageCache } from "./app.ts";
import { features, startFeatures } from "./features.ts";
import { createHttpServer, stopOnSignal } from "./http/http-server.ts";
import { logConsole, openLog } from "./log.ts";
import type { LogCacheHit } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";
import type { PageCache } from "./public-pages/page-cache.ts";
import { createPageListener } from "./public-pages/page-listener.ts";
import { listRawRoutes, slowBodyMatcher } from "./raw-routes.ts";
import { createAddressReader, createHeaderCheck } from "./security.ts";
import { openServices } from "./services.ts";
import { openSockets } from "./http/sockets.ts";

/** Opens the services and serves requests until SIGTERM or SIGINT. */
async function start() {
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  const { config } = read;
  const { log, logHit } = openLog(config.logLevel);
  logConsole(log);
  const { services, close } = await openServices(config, {
    log,
    workers: createWorkerPool({ file: new URL("./worker.js", import.meta.url) }),
    migrations: pathOf("../../migrations"),
    backupProgram: pathOf("./backup.js"),
    program: hashProgram(pathOf("."), pathOf("../../package-lock.json")),
  });

  const pages = openPageCache(services);
  if (config.metricsToken !== undefined) observe(services.metrics, pages);
  const app = await createApp(services, { pages, assets: pathOf("../client") });
  const servePage = createPageListener(pages, {
    counter: services.counter,
    logHit: config.metricsToken === undefined ? logHit : countHits(services.metrics, logHit),
    addressOf: createAddressReader(config.trustedProxy),
    madeUpHeader: createHeaderCheck(config),
  });
  // A monitor may use HTTP/1.0, which sends no Host.
  const respond = getRequestListener(app.fetch, { hostname: new URL(config.baseUrl).host });
  const sockets = openSockets(features, services);
  const server = createHttpServer(
    (request, response) => {
      servePage(request, response, () => void respond(request, response));
    },
    { sockets, isSlow: slowBodyMatcher(listRawRoutes(features)) },
  );

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    await close();
    throw listenProblem(error, config.port, config.host);
  });
  services.jobs.start();
  services.events.start();
  startMaintenance(features, services);
  const running = startFeatures(features, services);
  stopOnSignal(server, services.log, {
    endStreams: () => {
      sockets.close();
      services.live.close();
    },
    close: async () => {
      // First, because the process exits after some seconds even if other work isn't finished.
      await services.counter.flush();
      await running.stop();
      await close();
    },
  });
  const { engine: database } = services;
  services.log.info(
    { version: programVersion, database, data: config.dataDir },
    `Meishi is running at ${config.baseUrl}`,
  );
  if (!services.mail.isConfigured) {
    services.log.warn("Email isn't configured (SMTP_URL), so no one can sign up or reset a password.");
  }
}

/** What only a running process has. */
function observe(metrics: Metrics, pages: PageCache) {
  metrics.addProcessMetrics();
  metrics.addGauges("meishi_page_cache", "Pages in memory, and their bytes.", { label: "unit", read: pages.size });
  const help = "Public pages, by where they came from.";
  metrics.addCounts("meishi_pages_served_total", help, { label: "source", read: pages.served });
}

function countHits(metrics: Metrics, logHit: LogCacheHit): LogCacheHit {
  return (hit) => {
    metrics.noteCacheHit(hit);
    logHit(hit);
  };
}

/** A path relative to this file, as it is built. */
function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

function listenProblem(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return startProblem(`Port ${port} is already in use. Set PORT to a free port, or stop the program that uses it.`);
  if (error.code === "EACCES")
    return startProblem(
      `This user isn't allowed to open port ${port}. Ports below 1024 need extra privileges. Choose another one.`,
    );
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return startProblem(`HOST ${host} isn't an address of this machine.`);
  return error;
}

start().catch((error: unknown) => {
  const text = isStartProblem(error) ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`Meishi could not start: ${text}\n`);
  process.exit(1);
});
