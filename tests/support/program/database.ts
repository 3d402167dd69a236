import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";

import type { DomainEvent } from "#app/services/events/event.ts";
import { accountRows, sessionCookie } from "#tests/support/database/seed.ts";

import type { Program } from "./program.ts";

const minutesPerDay = 1_440;
const dayMs = 86_400_000;

/** Writes a confirmed account and a session into a running program's database; an older account with the address gets another one. */
export async function insertAccount({ dataDir }: Pick<Program, "dataDir">, email: string) {
  const { id, token, rows } = await accountRows(email, 1);
  withDatabase(dataDir, (database) => {
    database.prepare("update \"user\" set email = id || '@replaced.example' where email = ?").run(email);
    for (const [table, row] of Object.entries(rows)) insert(database, table, row);
  });
  return { id, ...sessionCookie(token, dataDir) };
}

/**
 * Records the days before today as days on which all was well, minute by minute. `marks`: how the day that many days ago began, one
 * character for each minute, as in status_day. Returns today's number, counted in UTC from 1970.
 */
export function recordDays({ dataDir }: Program, count: number, marks: Record<number, string> = {}): number {
  return withDatabase(dataDir, (database) => {
    const today = Math.floor(Date.now() / dayMs);
    for (let back = count; back > 0; back--)
      insert(database, "status_day", { day: today - back, minutes: (marks[back] ?? "").padEnd(minutesPerDay, "0") });
    return today;
  });
}

/** Gives a user the Premium plan. The program drops their pages from its cache within two seconds. */
export function makePremium({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => {
    const premium = { owner_id: userId, plan: "premium" };
    insert(database, "subscription", premium);
    insert(database, "plan_grant", { ...premium, reason: "", granted_by: "", created_at: 0 });
    recordEvent(database, userId);
  });
}

/** An owner's invoices in several states and currencies, on two pages; with an unknown currency they can't be shown. */
export function insertInvoices({ dataDir }: Program, userId: string, unknownCurrency?: string): void {
  const facts = [
    { status: "open", amount: 799, currency: "usd" },
    { status: "paid", amount: 799, currency: "usd" },
    { status: "void", amount: 8_000, currency: "usd" },
    { status: "uncollectible", amount: 1_234_567, currency: "jpy" },
    { status: "paid", amount: 123_456_780, currency: "kwd" },
  ];
  withDatabase(dataDir, (database) => {
    insert(database, "stripe_customer", { owner_id: userId, customer_id: `cus_${userId}`, created_at: 0 });
    for (let n = 0; n < 30; n++) {
      const { status, amount, currency } = facts[n % facts.length] ?? { status: "paid", amount: 0, currency: "usd" };
      const [number, created_at] = [`9F1A2B3C-${String(30 - n).padStart(4, "0")}`, Date.UTC(2026, 10 - n, 20)];
      const owned = { id: `in_${userId}_${n}`, owner_id: userId, number, status, created_at };
      const paid = { amount_due: amount, amount_paid: amount, currency: unknownCurrency ?? currency };
      insert(database, "stripe_invoice", { ...owned, ...paid });
    }
  });
}

/** Leads of an owner on a card: read and not, with texts as long as they get, withdrawn, and in quarantine. */
export function insertLeads({ dataDir }: Program, { ownerId, cardId }: { ownerId: string; cardId: string }): void {
  const long = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter";
  const common = { owner_id: ownerId, card_id: cardId, expires_at: Date.UTC(2028, 10, 12) };
  const grace = { name: "Grace Hopper", email: "grace@example.com", phone: "+1 555 0100", company: "Navy" };
  const main = `lead-0-${ownerId}`;
  const key = { email_key: "grace@example.com" };
  const called = { status: "contacted", read_at: 1, owner_note: "Call" };
  const leads: Row[] = [
    { ...grace, ...key, note: "Met at booth 4: please send the deck.", source: "qr", follow_up: "2026-11-20" },
    { name: long, email: `${"long".repeat(15)}@example.com`, company: long, note: `${long} `.repeat(6), read_at: 1 },
    { name: "ليلى الحسن", phone: "+962 6 555 0100", source: "nfc", ...called },
    { source: "kiosk", withdrawn_at: Date.UTC(2026, 10, 22), read_at: 1 },
    { name: "SEO Experts", email: "win@example.net", quarantined_at: 1, spam_reasons: '["links","too-fast"]' },
    { ...grace, ...key, company: "", phone: "+1 555 0199", read_at: 1 },
    { name: "Grace Murray", email: grace.email, note: long, read_at: 1, owner_note: "Call", merged_into: main },
  ];
  withDatabase(dataDir, (database) => {
    const add = (table: string, row: Row) => insert(database, table, row);
    const [textId, hash, text] = [`text-${ownerId}`, "5f70bf18".repeat(8), `${long} may use my details to answer me.`];
    add("consent_text", { id: textId, owner_id: ownerId, purpose: "answer", version: 1, text, hash, created_at: 0 });
    for (const [index, lead] of leads.entries()) {
      const [id, at] = [`lead-${index}-${ownerId}`, Date.UTC(2026, 10, 22) - index * 3_600_000];
      add("lead", { id, ...common, created_at: at, received_at: at, ...lead });
      const consent = { lead_id: id, owner_id: ownerId, purpose: "answer", text_id: textId, text_version: 1 };
      const { withdrawn_at: withdrawnAt } = lead;
      const withdrawn = withdrawnAt === undefined ? undefined : { withdrawn_at: withdrawnAt };
      add("lead_consent", { ...consent, text_hash: hash, source: "form", given_at: at, ...withdrawn });
      for (const tag of index < 2 ? ["Fair", long.slice(0, 30)] : [])
        add("lead_tag", { lead_id: id, tag, owner_id: ownerId });
    }
  });
}

/** An export of a user's data with 12 of 40 files. No job works on it. */
export function insertExport({ dataDir }: Program, userId: string, state: "running" | "ready" | "failed"): void {
  const times = { requested_at: Date.now(), expires_at: Date.now() + dayMs };
  const row = { owner_id: userId, id: "one", state, files_done: 12, files_total: 40, bytes: 4_200_000, ...times };
  withDatabase(dataDir, (database) => insert(database, "data_export", row));
}

/** As a process does that is killed after its write: the program finds the event and delivers it. */
function recordEvent(database: DatabaseSync, ownerId: string) {
  const event: DomainEvent = { id: randomUUID(), kind: "plan.changed", ownerId };
  const { id, kind } = event;
  insert(database, "event", { id, kind, owner_id: ownerId, payload: JSON.stringify(event), created_at: 0 });
  database.prepare("update profile set pages_version = ? where owner_id = ?").run(event.id, ownerId);
}

/** The number of events that are not delivered yet, or not deleted. */
export function countEvents({ dataDir }: Program): number {
  return withDatabase(dataDir, (database) => Number(database.prepare("select count(*) as n from event").get()?.["n"]));
}

/** Makes an account's address unconfirmed while it stays signed in. */
export function markUnconfirmed({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => database.prepare('update "user" set emailVerified = 0 where id = ?').run(userId));
}

/** Makes the emailed links to sign in valid for an hour. */
export function extendSignInLinks({ dataDir }: Program): void {
  const until = Date.now() + 3_600_000;
  withDatabase(dataDir, (database) => database.prepare("update email_sign_in set expires_at = ?").run(until));
}

/** Makes each session's proof of identity valid for two hours, so that no page asks for one and none gives the session a new token. */
export function extendProofs({ dataDir }: Program): void {
  const inTwoHours = Date.now() + 7_200_000;
  withDatabase(dataDir, (database) => database.prepare("update session set verifiedAt = ?").run(inTwoHours));
}

/** Adds a session of another browser to an account that has one. */
export function addSession({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => {
    const row = database.prepare("select * from session where userId = ?").get(userId);
    const other = { id: randomUUID(), token: randomUUID(), browser: "Firefox on Windows", method: "passkey" };
    insert(database, "session", { ...row, ...other });
  });
}

/** As for an account that was created with a provider. */
export function removePassword({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => database.prepare("delete from account where userId = ?").run(userId));
}

/** A code to confirm the identity with, which no one knows. */
export function insertIdentityCode({ dataDir }: Program, userId: string): void {
  const row = { owner_id: userId, code_hash: "x", expires_at: Date.now() + 3_600_000 };
  withDatabase(dataDir, (database) => insert(database, "identity_code", row));
}

/** Adds a passkey and a trusted browser, which no device has. */
export function addPasskey({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => {
    const now = Date.now();
    database
      .prepare("insert into passkey values (?, ?, ?, 'x', 0, '[]', 'Chrome on Android', 1, ?, ?)")
      .run(randomUUID(), userId, randomUUID(), now, now);
    const trust = database.prepare("insert into known_device values (?, ?, 'Firefox on Windows', ?, ?, ?)");
    trust.run(randomUUID(), userId, now, now, now + 30 * dayMs);
  });
}

/** As if no user had proved who they are for a long time. */
export function expireProofs({ dataDir }: Program): void {
  withDatabase(dataDir, (database) => database.prepare("update session set verifiedAt = 0").run());
}

/** Connects accounts at Google and GitHub, without tokens. */
export function connectAccounts({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => {
    const times = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
    for (const providerId of ["google", "github"])
      insert(database, "account", { id: randomUUID(), accountId: randomUUID(), providerId, userId, ...times });
  });
}

/** Corrupts a card's row, so that its pages answer 500. */
export function corruptCard({ dataDir }: Program, cardId: string): void {
  withDatabase(dataDir, (database) =>
    database.prepare("update card set professional_links = '[' where id = ?").run(cardId),
  );
}

/** The counts of a card ("card:…") or a profile ("profile:…"): { "click github": 1 }. */
export function readTally({ dataDir }: Program, subject: string): Record<string, number> {
  return withDatabase(dataDir, (database) => {
    const rows = database.prepare(
      "select kind, source, target, sum(n) as n from hourly_count where subject = ? group by 1, 2, 3",
    );
    const named = rows.all(subject).map(({ kind, source, target, n }) => {
      return [[kind, source, target].filter(Boolean).join(" "), Number(n)];
    });
    return Object.fromEntries(named) as Record<string, number>;
  });
}

type Row = Record<string, SQLInputValue>;

export function insert(database: DatabaseSync, table: string, row: Row): void {
  const [columns, marks] = [Object.keys(row).map((column) => `"${column}"`), Object.keys(row).map(() => "?")];
  const statement = `insert into "${table}" (${columns.join()}) values (${marks.join()})`;
  database.prepare(statement).run(...Object.values(row));
}

/** The rows that a statement on the database of a program gives. */
export const rowsOf = ({ dataDir }: Pick<Program, "dataDir">, statement: string, ...values: string[]) =>
  withDatabase(dataDir, (database) => database.prepare(statement).all(...values));

/** Runs `work` on the database of a program that is running. */
export function withDatabase<T>(dataDir: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, "meishi.db"), { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
