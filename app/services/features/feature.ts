import type { Handler } from "hono";

import type { DomainEvent, EventKind } from "#app/services/events/event.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import type { JobHandler } from "#app/services/jobs/jobs.server.ts";

/**
 * What a feature needs of the process, declared in its `feature.server.ts`. The process finds these files on its own (server/features.ts):
 * a new feature is a folder and its lines in app/routes.ts.
 */
export type Feature = {
  /** Routes outside the router, which get the raw request. */
  rawRoutes?: readonly RawRoute[];
  /** Larger request bodies than usual for pages and routes of the router. */
  bodyLimits?: readonly BodyLimit[];
  /** Paths of pages that are the same for every visitor, such as "/u/:id". Their finished pages are stored in the database. */
  publicPages?: readonly string[];
  /** Handlers of background jobs, by kind. */
  jobs?: Readonly<Record<string, (services: Services) => JobHandler>>;
  /** Work at the start and every hour. */
  maintenance?: readonly MaintenanceTask[];
  subscribers?: readonly Subscriber[];
  /** Prepares data at the start, before the first request. */
  prepare?: (services: Services) => Promise<void>;
  /** Starts work that runs as long as the process. */
  start?: (services: Services) => { stop(): Promise<void> };
  /** Owner's pages that the service worker answers with the offline page, as prefixes or exact paths. */
  offlinePages?: readonly string[];
};

export type RawRoute = {
  method: "GET" | "POST" | "ALL";
  /** A Hono path: "/uploads/:slot". */
  path: string;
  handler: (services: Services) => Handler<AppEnv>;
};

export type BodyLimit = { path: string; maxBytes: number };

export type MaintenanceTask = { name: string; run: (services: Services) => Promise<void> };

/** Hears about committed changes. */
export type Subscriber =
  /** Runs in every process, at once in the one that wrote. Synchronous, for caches in memory. */
  | { name: string; kinds: readonly EventKind[] | "all"; everywhere: (services: Services, event: DomainEvent) => void }
  /**
   * Runs once, in one process, in a transaction that also marks the event as handled: what it writes with `trx` happens exactly once.
   * Other effects belong in a job that it adds with `trx`.
   */
  | {
      name: string;
      kinds: readonly EventKind[] | "all";
      once: (services: Services, event: DomainEvent, trx: Trx) => Promise<void>;
    };
