import type { Handler } from "hono";

import type { DomainEvent, EventKind } from "#app/services/events/event.ts";
import type { EncryptedColumns } from "#app/services/base/secret-box.server.ts";
import type { Resource } from "#app/services/api/resource.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";

import type { DataExport } from "./data-export.ts";
import type { DisplayFile } from "./displayed-file.ts";
import type { FeaturePaths } from "./feature-paths.ts";
import type { ServerFunction } from "./server-function.ts";
import type { StoredData } from "./stored-data.ts";

/**
 * What a feature needs of the process, declared in its `feature.server.ts`. The process finds these files on its own (server/features.ts), also that of a part in its subfolder:
 * a new feature is a folder and its lines in app/routes.ts.
 */
export type Feature = FeaturePaths & {
  /** Routes outside the router, which get the raw request. */
  rawRoutes?: readonly RawRoute[];
  sockets?: readonly SocketRoute[];
  /** Calls with JSON at `/functions/v1/<name>`; each name once among all features. */
  functions?: readonly ServerFunction[];
  /** Its part of the API at `/api/v1`. */
  resources?: readonly Resource[];
  /** Larger request bodies than usual for pages and routes of the router. */
  bodyLimits?: readonly BodyLimit[];
  /** Background jobs by kind, which is unique among all features. They run at least once, so they must be idempotent. */
  jobs?: Readonly<Record<string, JobOfFeature>>;
  /** The same for jobs that wait for a server of a user's choice. At most half of the workers run them, so that mails don't wait for it. */
  slowJobs?: Readonly<Record<string, JobOfFeature>>;
  /** Work at the start and every hour, in every process. */
  maintenance?: readonly MaintenanceTask[];
  /**
   * What it stores about people: the privacy notice lists it, and `deleteOld` is the retention task, which runs like maintenance. Without
   * one, something else ends it, such as the deletion of the account.
   */
  storedData?: readonly (StoredData & { deleteOld?: MaintenanceTask["run"] })[];
  subscribers?: readonly Subscriber[];
  /** What it encrypts with the installation's secret and keeps for longer than days: a rotation encrypts it anew. */
  encrypted?: readonly EncryptedColumns[];
  /** Its part of what owners download as "export of my data". */
  dataExport?: DataExport;
  /** For kinds of uploads whose file one of its rows names: "avatar". */
  displays?: Readonly<Record<string, DisplayFile>>;
  /** Prepares data and adds queues (`jobs.addQueue`) at the start, before the first request and the first job. */
  prepare?: (services: Services) => Promise<void>;
  /** Starts work that runs as long as the process. */
  start?: (services: Services) => { stop(): Promise<void> };
};

type JobOfFeature = (services: Services, payload: unknown, job: RunningJob) => Promise<void>;

export type RawRoute = {
  /** A Hono path: "/uploads/:slot". */
  path: string;
  /** Called once per process; the handler it returns, once per request. */
  handler: (services: Services) => Handler<AppEnv>;
} & (
  | { method: "GET"; headers?: "page"; authentication?: Authentication | PublicRead }
  /** For files: their headers allow nothing, and they are sent as they are, not compressed again. Before sessions are read. */
  | { method: "GET"; headers: "resource"; authentication: Exclude<Authentication, "session"> | PublicRead }
  | {
      method: "POST" | "ALL";
      headers?: "page";
      authentication?: Authentication | "none: changes nothing";
      /** The most bytes of a body; by default those of a usual form. "streamed": the handler reads the body and limits it. */
      maxBytes?: number | "streamed";
      /** The body may take three minutes to arrive instead of 30 seconds: 5 MB over a slow phone. */
      isSlow?: boolean;
    }
  /** For WebDAV (RFC 4918), also at the address of a page: "/". */
  | { method: "PROPFIND" | "OPTIONS"; headers?: "page"; authentication: "basic"; maxBytes?: number }
);

/** A path at which clients open WebSocket connections (RFC 6455). The process reads no session and accepts any origin. */
export type SocketRoute = {
  path: string;
  /** Called once per process. */
  open: (services: Services) => {
    /** Whether a request may open a connection. Others are answered by the routes, as without `Upgrade`. */
    accepts: (url: URL) => boolean;
    connect: (socket: Socket, request: SocketRequest) => SocketReader;
  };
};

/** A connection; once it is closed, calls do nothing. One whose client doesn't read is cut off. */
export type Socket = { send: (text: string) => void; close: (code: number, reason: string) => void };

/** `address`: the client's. */
export type SocketRequest = { url: URL; address: string };

/** What a connection reports: each message, text or binary, and its end. */
export type SocketReader = { receive: (message: string | Uint8Array) => void; closed: () => void };

/**
 * How the handler knows who sent a request. "session", the default: the process has read the session cookie, and refuses a POST from
 * another site. With any other value the handler must check the named proof itself; the process reads no session and accepts any origin.
 */
export type Authentication =
  | "session"
  | "session-or-bearer"
  | "signature"
  | "bearer"
  | "basic"
  | "oauth-state"
  | "secret-path";

type PublicRead = "none: public read";

/** For signed-in users: a path ("/profile") with everything below it. */
export type BodyLimit = { path: string; maxBytes: number; isForVisitors?: boolean };

/** Its name is unique. Returns how many rows it changed, if it knows. One that fails is logged; the others run, and it runs again in an hour. */
export type MaintenanceTask = {
  name: string;
  run: (services: Services) => Promise<number | void>;
  /** For what reads a whole table: how often one of all processes runs it. An operator can run it in between. */
  limit?: RateLimit;
};

/** Receives committed changes. */
export type Subscriber =
  /**
   * Runs in every process, at once in the one that wrote, and at least once for each event. Synchronous, for caches in memory; `missed`
   * drops all that is cached, because events of other processes may have been missed.
   */
  | {
      name: string;
      kinds: readonly EventKind[] | "all";
      everywhere: (services: Services, event: DomainEvent) => void;
      missed: (services: Services) => void;
    }
  /**
   * Runs once, in one process, in a transaction that also marks the event as handled: what it writes with `trx` happens exactly once.
   * Other effects belong in a job that it adds with `trx`.
   */
  | {
      name: string;
      kinds: readonly EventKind[] | "all";
      once: (services: Services, event: DomainEvent, trx: Trx) => Promise<void>;
    };
