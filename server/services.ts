import { randomUUID } from "node:crypto";

import type { Logger } from "pino";

import { accountMail } from "#app/features/account/account-mails.ts";
import { createCounter } from "#app/features/analytics/counting/counter.server.ts";
import { createFirstProfile } from "#app/features/profile/own-profile.server.ts";
import { announceSaves } from "#app/features/webhooks/saves-data.server.ts";
import { createApplePush } from "#app/services/http/apple-push/apple-push.server.ts";
import { openApplePasses } from "#app/services/config/apple-passes.server.ts";
import { createAuth } from "#app/services/auth/auth.server.ts";
import type { Argon2Cost } from "#app/services/auth/passwords/password-hashes.server.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { createBus } from "#app/services/bus/bus.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openGoogleWallet } from "#app/services/config/google-wallet-account.server.ts";
import { createGoogleWallet } from "#app/services/http/google-wallet/google-wallet.server.ts";
import type { InstallationSecrets } from "#app/services/config/secrets.server.ts";
import { openDataFolder } from "#app/services/config/data-folder.server.ts";
import { readSiteContent } from "#app/services/config/site-content.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { findRunningSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import { createEvents } from "#app/services/events/events.server.ts";
import { createLiveEvents } from "#app/services/events/live/live-events.server.ts";
import { describeApi } from "#app/services/api/openapi.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import { createPublicFetch } from "#app/services/http/public/public-fetch.server.ts";
import { createPublicSender, isSendable } from "#app/services/http/public/public-sender.server.ts";
import { createRateLimits } from "#app/services/http/rate-limits.server.ts";
import { createImageCache } from "#app/services/images/image-cache.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { createMetrics } from "#app/services/metrics/metrics.server.ts";
import { createMail, readMail } from "#app/services/mail/mail.server.ts";
import { createBuildId } from "#app/services/pages/build-id.server.ts";
import { createRenderedPages } from "#app/services/pages/rendered-pages.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";
import { createStripe } from "#app/services/stripe/stripe.server.ts";
import type { WorkerPool } from "#app/services/workers/worker-pool.server.ts";

import { connectFeatures, features as allFeatures } from "./features.ts";
import { openMaintenance } from "./maintenance.ts";
import { prepareDatabase } from "./prepare-database.ts";

type ServicesOptions = {
  /** Folder of the .sql files. */
  migrations: string;
  log: Logger;
  /** Closed with the services. */
  workers: WorkerPool;
  features?: readonly Feature[];
  /** See Services. */
  backupProgram?: string;
  /** Identifies the program, so that it shares rendered pages with others like it. By default it shares them with none. */
  program?: string;
  clock?: () => number;
  /** See createPublicFetch: servers on this machine that a test runs. */
  allowedOrigins?: readonly string[];
  /** See createAuth: the minimum duration of responses about an email address, in milliseconds. */
  minResponseMs?: number;
  /** See createAuth. */
  passwordCost?: Argon2Cost;
  /** See createAuth. */
  accessTokenSeconds?: number | undefined;
};

type OpenedServices = { services: Services; close(): Promise<void> };

/**
 * Opens the services in the order of their dependencies, and prepares the features. `close` writes what is in memory and closes them in
 * reverse order. Throws a start problem when one can't be opened; then none stays open.
 */
export async function openServices(
  config: Config,
  { migrations, log, workers, minResponseMs, passwordCost, accessTokenSeconds, ...options }: ServicesOptions,
): Promise<OpenedServices> {
  const { features = allFeatures, program = randomUUID(), clock = Date.now, allowedOrigins = [] } = options;
  const metrics = createMetrics();
  const { opened, stoppable, close } = createClosers();
  try {
    opened(workers, workers.close);
    const folder = openDataFolder(config.dataDir);
    opened(folder, folder.close);
    const siteContent = readSiteContent(config.dataDir);
    const wallets = await openWallets(config, { clock, log });
    opened(wallets, () => wallets.applePush?.close());
    const buildId = createBuildId(program, { config, siteContent, ...listOffers(wallets) });
    const database = await openObservedDatabase(config, { log, metrics });
    const { db, engine } = opened(database, database.close);
    const secrets = folder.secrets();
    const clockCheck = await prepareDatabase(database, { config, migrations, secrets, log });

    const files = await openFileStorage({ config, folder, log });
    const mail = createMail(config, folder.mailDir);
    const jobs = stoppable(openJobs({ db, clock, clockCheck, log, mail, metrics }));
    const bus = await createBus({ ...database, listenUrl: config.databaseListenUrl, log });
    opened(bus, bus.close);
    const events = stoppable(createEvents({ db, engine, bus, jobs, clock, log }));
    const live = createLiveEvents({ events, bus, clock, log, findRunningSessions: findRunningSessions.bind(null, db) });
    opened(live, live.close);
    const counter = stoppable(openCounter({ ...database, log, clock, config, live, events }));
    const renderedPages = stoppable(createRenderedPages({ db, engine, log, clock, buildId, config }));
    const auth = createAuth({
      db,
      engine,
      config,
      ...secrets,
      log,
      ...(minResponseMs !== undefined && { minResponseMs }),
      ...(passwordCost && { passwordCost }),
      accessTokenSeconds,
      onSecurityEvent: reportSecurityEvent(live),
      onSignIn: (trx, userId) => createFirstProfile(trx, events, { ownerId: userId, now: clock() }),
      enqueueMail: (message, trx) => jobs.enqueue(trx ?? db, "mail", accountMail(message, config.baseUrl)),
      enqueueImage: (image, trx) => jobs.enqueue(trx, "provider-picture", image),
    });
    const services: Services = {
      config,
      log,
      db,
      engine,
      auth,
      mail,
      metrics,
      jobs,
      maintenance: openMaintenance(features, () => services),
      bus,
      events,
      live,
      rateLimits: createRateLimits({ db, log, secret: secrets.secret, clock }),
      ...publicRequests(allowedOrigins),
      counter,
      files,
      imageCache: createImageCache({ events }),
      workers,
      ...wallets,
      stripe: config.stripe && createStripe(config.stripe),
      renderedPages,
      siteContent,
      ...describeFeatures(features, config),
      ...secretServices(secrets, log),
      clock,
      clockCheck,
      backupProgram: options.backupProgram,
    };
    connectFeatures(features, services);
    for (const { prepare } of features) await prepare?.(services);
    return { services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Declarations = Pick<Services, "features" | "dataExports" | "displays" | "apiDocument">;

/** What features declare for other features. */
function describeFeatures(features: readonly Feature[], { baseUrl }: Config): Declarations {
  const dataExports = features.flatMap(({ dataExport }) => dataExport ?? []);
  const displays = Object.fromEntries(features.flatMap(({ displays = {} }) => Object.entries(displays)));
  let document: ReturnType<Services["apiDocument"]> | undefined;
  return { features, dataExports, displays, apiDocument: () => (document ??= describeApi(features, baseUrl)) };
}

type PublicRequests = Pick<Services, "fetchPublicFile" | "sendPublicly" | "isSendable">;

type CounterDeps = Pick<Services, "db" | "engine" | "log" | "clock" | "config" | "live" | "events">;

/** Counts visits, and publishes them to their subscribers. */
function openCounter({ live, events, ...deps }: CounterDeps) {
  return createCounter({
    ...deps,
    onVisit: live.noteVisit,
    onSaves: (trx, saves) => announceSaves(trx, events, saves),
  });
}

/**
 * What `GET /events` reports of an account's security: what the specification's client calls an update of the user, and a new token. Before
 * the connections end that this concerns.
 */
function reportSecurityEvent(live: Services["live"]) {
  const reported = ["password-changed", "password-set", "email-changed", "email-confirmed", "identity-confirmed"];
  return (ownerId: string, event: string) => {
    if (reported.includes(event)) live.publish(ownerId, { kind: "account.changed", data: { event } });
    live.recheck(ownerId);
  };
}

type SecretServices = Pick<Services, "sign" | "signForever" | "secretBox">;

/** Signs and encrypts with the installation's secret. Logs once when texts can't be decrypted: there may be thousands. */
function secretServices(secrets: InstallationSecrets, log: Logger): SecretServices {
  let isLogged = false;
  const onUnreadable = () => {
    if (!isLogged) log.error(unreadableMessage);
    isLogged = true;
  };
  return {
    sign: createTextSigner(secrets.secret, secrets.previousSecret),
    signForever: createTextSigner(secrets.firstSecret),
    secretBox: (purpose) => createSecretBox(secrets, purpose, onUnreadable),
  };
}

const unreadableMessage =
  "Stored addresses and secrets of webhooks or chats can't be decrypted, because secrets.json in DATA_DIR isn't the one they were " +
  "encrypted with. Restore it from a backup and restart. Without one, owners have to add their webhooks and chats again: their pages say so.";

/** Requests to addresses that users chose. */
function publicRequests(allowedOrigins: readonly string[]): PublicRequests {
  return {
    fetchPublicFile: createPublicFetch({ allowedOrigins }),
    sendPublicly: createPublicSender({ allowedOrigins }),
    isSendable: (url) => isSendable(url, allowedOrigins),
  };
}

async function openObservedDatabase(config: Config, { log, metrics }: Pick<Services, "log" | "metrics">) {
  const database = await openDatabase({ ...config, log, onQuery: metrics.noteQuery });
  if (database.connections) {
    const help = "Connections to PostgreSQL, and work that waits for one.";
    metrics.addGauges("meishi_database_connections", help, { label: "state", read: database.connections });
  }
  return database;
}

type JobsNeeds = Pick<Services, "db" | "clock" | "clockCheck" | "log" | "mail" | "metrics">;

/** Jobs by the database's time, so that what this process adds isn't late in others. */
function openJobs({ clock, clockCheck, mail, ...deps }: JobsNeeds) {
  return createJobs({
    ...deps,
    clock: () => clock() - clockCheck.ahead(),
    handlers: { mail: (payload) => mail.send(readMail(payload)) },
    canClaim: () => clockCheck.problem() === undefined,
  });
}

/** Wallet passes of Apple and Google, each where it is configured. */
async function openWallets(config: Config, { clock, log }: Pick<Services, "clock" | "log">) {
  const applePasses = await openApplePasses(config.applePasses, { now: clock(), log });
  const googleWalletSetup = openGoogleWallet(config.googleWallet, log);
  return {
    applePasses,
    applePush: applePasses.state === "ready" ? createApplePush({ ...applePasses, clock }) : undefined,
    googleWalletSetup,
    googleWallet:
      googleWalletSetup.state === "ready" ? createGoogleWallet(googleWalletSetup.account, { clock, log }) : undefined,
  };
}

/** Which passes public pages offer. */
function listOffers({ applePasses, googleWallet }: Awaited<ReturnType<typeof openWallets>>) {
  return { hasApplePasses: applePasses.state === "ready", hasGoogleWallet: googleWallet !== undefined };
}

/** `close` closes everything that was opened, in reverse order. */
function createClosers() {
  const closers: (() => void | Promise<void>)[] = [];
  function opened<T>(service: T, close: () => void | Promise<void>): T {
    closers.push(close);
    return service;
  }
  return {
    opened,
    stoppable: <T extends { stop: () => Promise<void> }>(service: T) => opened(service, () => service.stop()),
    async close() {
      for (const next of closers.splice(0).toReversed()) await next();
    },
  };
}
