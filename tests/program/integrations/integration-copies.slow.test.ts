import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { integrationEncryption } from "#app/features/integrations/data.server.ts";
import type { Settings } from "#app/features/integrations/destination.ts";
import { integrationJob } from "#app/features/integrations/send-tasks.server.ts";
import { hashConsentText } from "#app/features/leads/consent-data.server.ts";
import { consentTexts } from "#app/features/leads/consent-text.ts";
import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { withdrawConsent } from "#app/features/leads/data.server.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { openProgramClock } from "#tests/support/program/program-clock.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { openContactServices } from "#tests/support/providers/contact-services.ts";
import type { Failure } from "#tests/support/providers/contact-services.ts";

/**
 * The services, with what an owner enters. Not Google: its search takes several requests, of which one fails too often for a test;
 * `oauth.test.ts` has fewer contacts.
 */
const destinations: [kind: string, settings: Settings][] = [
  ["carddav", { url: "https://carddav.example/leads", user: "ada", password: "right" }],
  ["hubspot", { token: "pat-right" }],
  ["listmonk", { url: "https://listmonk.example", user: "api", token: "right", list: "3" }],
  ["mailchimp", { key: "rightrightright-us21", list: "a1b2c3d4e5" }],
  ["brevo", { key: "xkeysib-right", list: "3" }],
  ["microsoft", { account: "ada@example.com", refreshToken: "refresh" }],
];
const clients = {
  MICROSOFT_CLIENT_ID: "client",
  MICROSOFT_CLIENT_SECRET: "sesame",
};

/**
 * "consented" to services and news; "moved" too, with another address later; "withdrawn" the same until later; "unconsented" to texts that
 * name no services.
 */
const group = [...Array.from({ length: 9 }, () => "consented"), "moved", "withdrawn", "unconsented", "unconsented"];
/** In the order in which they are sent. Ran once with 1,300, and the requests below three times as late. */
const leads = Array.from({ length: 390 }, (_, n) => {
  const kind = group[n % group.length] ?? "";
  const id = `${n + 1_000}-${kind}`;
  return { id, kind, email: `${id}@example.com`, newEmail: `${id}@${kind === "moved" ? "new." : ""}example.com` };
});
/** During these requests the program is killed. Such a request is carried out, and its answer is lost. */
const kills = [70, 201, 332, 463];
/** During these, a part of the consents is withdrawn, and of the addresses changed. */
const changes = [20, 130, 260, 370, 470];
/** One of three requests fails, the first or the second: else most pauses would be for three failures in a row. */
const failures: (Failure | undefined)[] = fc
  .sample(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(...listFailures())), { seed: 23, numRuns: 5_000 })
  .flatMap(([position, failure]) => [0, 1, 2].map((n) => (n === position ? failure : undefined)));
const [minute, day] = [60_000, 86_400_000];
/** Longer than the lease of a job. */
const leaseMs = 4 * minute;
/** How late a contact may be, so that a day passes in few steps. */
const stepMs = 20 * minute;
/** Before the log says that a contact is given up. */
const minAttempts = 5;
const allowedOutcomes = [
  "consented: sent, 1 there",
  "consented: given-up, 1 there",
  "consented: given-up, 0 there",
  "moved: sent, 1 there",
  "moved: given-up, 1 there",
  "moved: given-up, 0 there",
  "moved: given-up, 0 there, 1 as before",
  "moved: given-up, 1 there, 1 as before",
  // Its first answer was lost, and the address has changed since: nothing says what it was sent with.
  "moved: sent, 1 there, 1 as before",
  "withdrawn: removed, 0 there",
  "withdrawn: left-out, 0 there",
  "withdrawn: given-up, 1 there",
  "withdrawn: given-up, 0 there",
  "unconsented: left-out, 0 there",
];
const soon = { interval: 20 };
const ownerId = "ada";

/** What differs between the engines is the same for all services. */
function rowsFor(engine: Engine) {
  return destinations.slice(0, engine === "sqlite" ? undefined : 2);
}

describe.each(listEngines())("integrations, on %s", (engine) => {
  async function open() {
    const { databaseUrl, dataDir, db } = await makeDatabase(engine, { migrated: engine === "sqlite" });
    const double = await openContactServices();
    const clock = openProgramClock();
    const preload = pathToFileURL(join(import.meta.dirname, "../../support/providers/preloaded-internet.ts")).href;
    const env = {
      ...clients,
      ...clock.env,
      NODE_OPTIONS: `${clock.env.NODE_OPTIONS} --import=${preload}`,
      TEST_INTERNET: double.origin,
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    };
    const services = {
      ...(await makeWriteServices(db, clock.now)),
      sign: createTextSigner("secret"),
      clock: clock.now,
    };
    const change = async ({ id, kind, newEmail: email }: (typeof leads)[number]) => {
      if (kind === "withdrawn") await withdrawConsent(services, { id, purposes: ["answer", "newsletter"] });
      if (kind !== "moved") return;
      await transact(db, async (trx) => {
        await trx.updateTable("lead").set({ email, email_key: email }).where("id", "=", id).execute();
        await changeContacts(trx, { ownerId, ids: [id] });
      });
    };
    return { db, dataDir, clock, double, change, start: () => runProgram(env) };
  }

  test.each(rowsFor(engine))("%s has each lead once, or the log says that it was given up", async (kind, settings) => {
    const { db, dataDir, clock, double, change, start } = await open();
    let program = await start();
    const changing: Promise<unknown>[] = [];
    const counts = { requests: 0, failed: 0, killed: 0 };
    double.services.failing = () => {
      const number = ++counts.requests;
      const part = changes.indexOf(number);
      changing.push(...leads.filter((_, n) => n % changes.length === part).map(change));
      const isKilled = kills.includes(number);
      if (isKilled) void program.kill("SIGKILL");
      const failure = isKilled ? "lost" : failures[number];
      if (failure) counts.failed++;
      return failure;
    };
    await insertLeads(db, clock.now());
    await insertIntegration(db, dataDir, { kind, settings });
    for (;;) {
      let isKilled = false;
      let wait: number | undefined;
      void program.ended.then(() => (isKilled = true));
      const isOver = async () => isKilled || (wait = await findWait(db, clock.now())) !== undefined;
      await expect.poll(isOver, soon).toBe(true);
      await Promise.all(changing);
      if (wait === Infinity) break;
      clock.advance(wait ?? leaseMs);
      if (isKilled) {
        counts.killed++;
        program = await start();
      }
    }

    const stored = Map.groupBy(double.contacts.get(kind) ?? [], ({ email }) => email);
    const log = await readLog(db);
    const outcomes = leads.map(({ id, kind: group, email, newEmail }) => {
      const { state, attempts = 0, answer = "", remote_id: remote = "" } = log.get(id) ?? {};
      // Without an answer before the withdrawal, no one knows what the contact is called there: its owner is notified to look for it.
      const isUnknown = group === "withdrawn" && answer.endsWith("Delete it there.");
      if (state === "given-up" && !isUnknown) expect.soft(attempts, id).toBeGreaterThanOrEqual(minAttempts);
      // None was there before.
      if (state === "sent") expect.soft(remote, id).toMatch(/^\+/);
      const old = newEmail === email ? 0 : (stored.get(email)?.length ?? 0);
      return `${group}: ${state}, ${stored.get(newEmail)?.length ?? 0} there${old > 0 ? `, ${old} as before` : ""}`;
    });
    expect(counts.killed).toBe(kills.length);
    expect(counts.failed / counts.requests).toBeCloseTo(1 / 3, 1);
    expect(outcomes.filter((outcome) => !allowedOutcomes.includes(outcome))).toEqual([]);
    const emails = new Set(leads.flatMap(({ email, newEmail }) => [email, newEmail]));
    expect([...stored.keys()].filter((email) => !emails.has(email))).toEqual([]);
    expect(outcomes.filter((outcome) => outcome.startsWith("moved: sent, 1 there, ")).length).toBeLessThan(20);
    expect(log.size).toBe(leads.length);
  });
});

/** Most often an error, or an answer that is lost; now and then the wish for a pause. */
function listFailures(): Failure[] {
  const error = { status: 500, body: { message: "Out of order" } };
  return [...Array.from({ length: 80 }, (_, n): Failure => (n % 2 === 0 ? "lost" : error)), { status: 429 }];
}

async function insertLeads(db: Db, now: number) {
  const texts = [true, false].flatMap((hasServices) => {
    const parties = { displayName: "Ada", company: "", months: 24, hasServices };
    const version = hasServices ? 2 : 1;
    return consentTexts({ ...defaultFormSettings, hasNewsletter: true }, parties).map(({ purpose, text }) => {
      const row = { id: `${purpose}-${version}`, owner_id: ownerId, purpose, version, text, created_at: now };
      return { ...row, hash: hashConsentText(text) };
    });
  });
  const times = { created_at: now, received_at: now, expires_at: now + 720 * day };
  const rows = leads.map(({ id, email }) => {
    return { id, owner_id: ownerId, card_id: "card", ...times, name: `Guest ${id}`, email, email_key: email };
  });
  const consents = leads.flatMap(({ id, kind }) =>
    texts
      .filter(({ version }) => version === (kind === "unconsented" ? 1 : 2))
      .map(({ id: text_id, purpose, version, hash }) => {
        const proof = { text_id, text_version: version, text_hash: hash, source: "form", given_at: now };
        return { lead_id: id, owner_id: ownerId, purpose, ...proof };
      }),
  );
  await transact(db, async (trx) => {
    await insertRows({ db: trx }, { consent_text: texts });
    for (let at = 0; at < leads.length; at += 500) {
      await insertRows({ db: trx }, { lead: rows.slice(at, at + 500) });
      await insertRows({ db: trx }, { lead_consent: consents.slice(2 * at, 2 * (at + 500)) });
    }
    await changeContacts(trx, { ownerId, ids: leads.map(({ id }) => id) });
  });
}

async function insertIntegration(db: Db, dataDir: string, { kind, settings }: { kind: string; settings: Settings }) {
  const { auth } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
  const box = createSecretBox({ secret: auth }, integrationEncryption.purpose);
  const encrypted = box.encrypt(JSON.stringify(settings), ownerId);
  const times = { created_at: 0, updated_at: 0 };
  await insertRows({ db }, { integration: { id: "one", owner_id: ownerId, kind, settings: encrypted, ...times } });
}

/** How long until the program sends again. Undefined while it is sending or hasn't seen all changes; infinite when nothing is left to do. */
async function findWait(db: Db, now: number): Promise<number | undefined> {
  const job = await db
    .selectFrom("job")
    .select(["run_at", "leased_until"])
    .where("kind", "=", integrationJob)
    .executeTakeFirst();
  if (job && (job.leased_until > 0 || job.run_at <= now)) return undefined;
  const { next, seen, revision } = await db
    .selectFrom("integration")
    .innerJoin("address_book", "address_book.owner_id", "integration.owner_id")
    .leftJoin("integration_contact", "integration_id", "id")
    .select((row) => [row.fn.min("next_attempt_at").as("next"), "seen_revision as seen", "revision"])
    .groupBy(["seen_revision", "revision"])
    .executeTakeFirstOrThrow();
  // What is due waits for the end of a pause.
  if (job) return job.run_at - now + (next !== null && next <= now ? 0 : stepMs);
  return next === null && seen === revision ? Infinity : undefined;
}

/** The log of each contact by the id of its lead. */
async function readLog(db: Db) {
  const rows = await db
    .selectFrom("integration_contact as copy")
    .innerJoin("address_book_entry as entry", "entry.name", "copy.name")
    .selectAll("copy")
    .select("entry.lead_id as id")
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
