import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Subqueries and what SQLite says of itself. */
const noTables = [
  "counted",
  "found",
  "later",
  "waiting",
  "primary",
  "written",
  "sqlite_master",
  "tables",
  "index_list",
  "index_info",
  "p",
];
/** Have few rows: per release, process, product, minute of an hour or day, or per person who did something within the last hours. */
const smallTables = [
  "migration",
  "instance",
  "setting",
  "stripe_price",
  "status_day",
  "sitemap_file",
  "statistics_lock",
  "email_change",
  "identity_code",
  "passkey_challenge",
  "sign_in_challenge",
  "sign_up_draft",
  "verification",
  "kiosk_device",
  // At most five for an owner, and few have any.
  "integration",
  // What is waiting or has failed.
  "job",
  "event",
];
/** Scans of these stop early: the index has only the rows that the statement is for, or is read in its order up to a limit. */
const indexes = ["hourly_count_pending", "webhook_delivery_waiting", "invitation_time", "rendered_page_by_time"];
/** Pages of the operator, what runs once a night, and the start: the statements read all accounts or customers because they are about all. */
const rareCallers = /features\/admin\/|moved-address|billing\/operator\/|billing\/stripe\/(price-checks|stripe-tasks)/;

const mayBeScanned = new Set([...noTables, ...smallTables]);
/** Statements of the product that this worker has prepared and not checked, with where they are. */
const unchecked = new Map<string, string>();
const checked = new Set<string>();
let database: DatabaseSync | undefined;

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function prepareAndNote(sql, ...options) {
  if (/^\s*(select|insert|update|delete|with)\b/i.test(sql) && !checked.has(sql)) {
    const caller = findCaller();
    if (caller !== undefined) unchecked.set(sql, caller);
  }
  return prepare.call(this, sql, ...options);
};

/**
 * Throws for statements that the product prepared since the last call and that read all rows of a table that grows. Their plans are those
 * of a database without statistics, for which the planner assumes about a million rows. https://sqlite.org/eqp.html
 */
export async function refuseScans(): Promise<void> {
  if (unchecked.size === 0) return;
  const statements = [...unchecked];
  unchecked.clear();
  const template = (database ??= await openTemplate());
  const problems = statements.flatMap(([sql, caller]) => {
    checked.add(sql);
    const plan = prepare.call(template, `explain query plan ${sql}`).all();
    const tables = plan.flatMap(({ detail }) => scannedTable(String(detail)) ?? []);
    return tables.length > 0 ? [`All rows of ${tables.join(", ")} are read ${caller}: ${sql}`] : [];
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function openTemplate(): Promise<DatabaseSync> {
  const { copyMigratedDatabase } = await import("./databases.ts");
  const folder = mkdtempSync(join(tmpdir(), "meishi-plans-"));
  await copyMigratedDatabase(folder);
  const template = new DatabaseSync(join(folder, "meishi.db"));
  // Its file isn't needed once it is open.
  template.exec("pragma journal_mode = memory");
  rmSync(folder, { recursive: true });
  return template;
}

function scannedTable(detail: string): string | undefined {
  const [, table = "", index = ""] = /^SCAN (\w+)(?: USING(?: COVERING)? INDEX (\w+))?/.exec(detail) ?? [];
  const isFine = table === "" || mayBeScanned.has(table) || indexes.includes(index);
  return isFine || /VALUES CLAUSE|CONSTANT ROW|VIRTUAL TABLE/.test(detail) ? undefined : table;
}

/** The line of the product's code that runs the statement; undefined for one of a test, a migration, a backup, a rotation of the secret or that may take long. */
function findCaller(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const frames = new Error().stack?.split("\n") ?? [];
  Error.stackTraceLimit = limit;
  if (frames.some((frame) => /migrate\.server|services\/backup\/|rotate-secrets\.ts/.test(frame))) return undefined;
  const caller = frames.find(
    (frame) =>
      /\/(app|server|tests)\//.test(frame) &&
      !/node_modules|query-plans|services\/database\/|services\/jobs\/long-work/.test(frame),
  );
  return caller === undefined || /\/tests\/|\.test\.ts/.test(caller) || rareCallers.test(caller)
    ? undefined
    : caller.trim();
}
