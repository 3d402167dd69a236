import pino from "pino";
import { expect, test } from "vitest";

import type { Db } from "#app/services/database.server.ts";
import { createJobs } from "#app/services/jobs.server.ts";
import { createLimits } from "#app/services/limits.server.ts";
import { createSign } from "#app/services/seal.server.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

import { sendMessage } from "./data.server.ts";

const now = Date.UTC(2026, 10, 21);
const secret = "x".repeat(43);

describeOnEachDatabase("messages to the operator", (makeDb) => {
  test("twenty times the same at once is one mail, and all are told that it is sent", async () => {
    const db = await makeDb();
    const results = await Promise.all(Array.from({ length: 20 }, () => send(db, "The same words.")));
    expect(results.filter(({ kind }) => kind === "sent")).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "known")).toHaveLength(19);
    expect(await countJobs(db)).toBe(1);
  });

  test("twenty different ones at once are five mails: one sender has no more in an hour", async () => {
    const db = await makeDb();
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => send(db, `Message number ${n}.`)));
    expect(results.filter(({ kind }) => kind === "sent")).toHaveLength(5);
    expect(results.filter(({ kind }) => kind === "too-often")).toHaveLength(15);
    expect(await countJobs(db)).toBe(5);
  });

  test("what was refused may be sent later, with the same form", async () => {
    const db = await makeDb();
    for (let n = 0; n < 5; n++) await send(db, `Message number ${n}.`);
    expect(await send(db, "One more message.")).toEqual({ kind: "too-often", until: now + 3_600_000 });
    expect(await send(db, "One more message.", now + 3_600_000)).toEqual({ kind: "sent" });
  });

  test("keeps nothing of the words or the address but in the job", async () => {
    const db = await makeDb();
    await send(db, "A secret of mine.");
    const rows = JSON.stringify(await db.selectFrom("attempt").selectAll().execute());
    for (const text of ["secret", "ada", "203.0.113"]) expect(rows).not.toContain(text);
  });
});

function send(db: Db, words: string, at = now) {
  const clock = () => at;
  const jobs = createJobs({ db, clock, log: pino({ level: "silent" }), handlers: {} });
  const services = { db, jobs, clock, limits: createLimits({ db, secret, clock }), sign: createSign(secret) };
  const message = { name: "", email: "ada@example.com", message: words };
  const mail = { to: "desk@example.com", replyTo: message.email, subject: "Message", text: words };
  return sendMessage(services, { message, mail, stamp: "1.x", address: "203.0.113.9" });
}

async function countJobs(db: Db): Promise<number> {
  return (await db.selectFrom("job").select("id").execute()).length;
}
