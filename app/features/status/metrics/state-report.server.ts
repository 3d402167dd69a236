import { statfs } from "node:fs/promises";

import { sql } from "kysely";
import { Gauge, Registry } from "prom-client";

import { findLastBackup } from "#app/services/backup/last-backup.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import { programVersion } from "#app/services/config/version.ts";
import type { Services } from "#app/services/http/context.ts";

import { cachedRead } from "../cached-read.ts";
import { listInstances } from "../data.server.ts";
import { readCertificateEnd } from "../doctor/network-checks.server.ts";
import { listQueues } from "../queue-data.server.ts";
import { checkNames } from "../rules.ts";

/** A value, or several by a label. */
type Measured = number | { label: string; values: readonly (readonly [label: string, value: number])[] };
type State = readonly [name: string, help: string, value: Measured | undefined][];

/**
 * The state of the installation as Prometheus reads it, in addition to what this process did. What can't be read now is left out, but the
 * database says so.
 */
export async function readState(services: Services): Promise<string> {
  const parts = await Promise.all([
    readDatabase(services).catch((error: unknown): State => {
      services.log.error({ err: error }, "the database is not responding");
      return [["meishi_database_up", databaseHelp, 0]];
    }),
    readDisk(services),
    readCertificates(services, services.clock()),
  ]);
  const registers = [new Registry()];
  for (const [name, help, value] of [...readProgram(services), ...parts.flat()]) {
    if (value === undefined) continue;
    if (typeof value === "number") new Gauge({ name, help, registers }).set(value);
    else {
      const gauge = new Gauge({ name, help, registers, labelNames: [value.label] });
      for (const [label, one] of value.values) gauge.set({ [value.label]: label }, one);
    }
  }
  return registers[0]?.metrics() ?? "";
}

function readProgram({ engine, config }: Services): State {
  return [
    ["meishi_info", "The version of this process.", { label: "version", values: [[programVersion, 1]] }],
    ["meishi_database_engine", "The database in use.", { label: "engine", values: [[engine, 1]] }],
    ["meishi_backup_daily", "Whether BACKUP is daily.", config.backup === "daily" ? 1 : 0],
  ];
}

const databaseHelp = "Whether the database answered within three seconds.";

async function readDatabase({ db, clock, clockCheck }: Services): Promise<State> {
  const startedAt = performance.now();
  await withTimeout(databaseTimeoutMs, sql`select 1`.execute(db));
  const ping = (performance.now() - startedAt) / 1_000;
  const now = clock() - clockCheck.ahead();
  const [queues, running, backup, migrations] = await withTimeout(
    databaseTimeoutMs,
    Promise.all([
      listQueues(db, now),
      listInstances(db, now),
      findLastBackup(db),
      db.selectFrom("migration").select("name").where("name", "<>", "(lock)").execute(),
    ]),
  );
  const byQueue = (valueOf: (queue: (typeof queues)[number]) => number) => ({
    label: "queue",
    values: queues.map((queue) => [queue.name, valueOf(queue)] as const),
  });
  const isFailing = (name: (typeof checkNames)[number]) => running.some(({ results }) => results[name] === "failing");
  return [
    ["meishi_database_up", databaseHelp, 1],
    ["meishi_database_ping_seconds", "How long the database took to answer `select 1`.", ping],
    ["meishi_migrations", "Migrations that were applied to the database.", migrations.length],
    ["meishi_processes", "Processes that checked themselves within three minutes.", running.length],
    [
      "meishi_check_failing",
      "Whether a self-check of any process fails: see /status.",
      { label: "check", values: checkNames.map((name) => [name, isFailing(name) ? 1 : 0]) },
    ],
    ["meishi_queue_waiting", "Work that is being done or waits.", byQueue(({ waiting }) => waiting)],
    ["meishi_queue_given_up", "Jobs that failed their last try.", byQueue(({ givenUp }) => givenUp)],
    [
      "meishi_queue_due_seconds",
      "For how long the oldest work is due that no process has begun.",
      byQueue(({ dueSince = now }) => (now - dueSince) / 1_000),
    ],
    ["meishi_backup_timestamp_seconds", "When the last checked backup was made.", backup && backup.createdAt / 1_000],
  ];
}

const databaseTimeoutMs = 3_000;

async function readDisk({ config, log }: Services): Promise<State> {
  try {
    const { bavail, blocks, bsize } = await statfs(config.dataDir);
    return [
      ["meishi_disk_free_bytes", "Free space on the disk of DATA_DIR.", bavail * bsize],
      ["meishi_disk_size_bytes", "Size of the disk of DATA_DIR.", blocks * bsize],
    ];
  } catch (error) {
    log.error({ err: error }, "the disk of DATA_DIR is unreadable");
    return [];
  }
}

/** As seen from this machine, at most once a minute. A site that it can't reach has none here. */
const readCertificates = cachedRead(60_000, async ({ config, applePasses, log }: Services): Promise<State> => {
  const url = new URL(config.baseUrl);
  const values: [string, number][] = [];
  if (url.protocol === "https:") {
    const end = await readCertificateEnd(url, { isChecked: false }).catch((error: unknown) => {
      log.warn({ err: error }, "the certificate of BASE_URL is unreadable from here");
    });
    if (end !== undefined) values.push(["site", end / 1_000]);
  }
  if (applePasses.state === "ready") values.push(["apple-wallet", applePasses.signer.expiresAt / 1_000]);
  const help = "When a certificate ends. site: that of BASE_URL.";
  return [["meishi_certificate_expiry_timestamp_seconds", help, { label: "certificate", values }]];
});
