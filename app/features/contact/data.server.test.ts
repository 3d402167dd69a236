import pino from "pino";
import { expect, test } from "vitest";

import type { Db } from "#app/services/database/database.server.ts";
import { createRateLimits } from "#app/services/http/rate-limits.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { sendMessage } from "./data.server.ts";

const now = Date.UTC(2026, 10, 21);
const secret = "x".repeat(43);

describeOnEachDatabase("messages to the operator", (makeDb) => {
  test("sends one email for twenty concurrent submissions of one form, and reports all as sent", async () => {
    const db = await makeDb();
    const results = await Promise.all(Array.from({ length: 20 }, () => send(db, "The same words.")));
    expect(results.filter(({ kind }) => kind === "sent")).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "known")).toHaveLength(19);
    expect(await countJobs(db)).toBe(1);
  });

  test("sends at most five of twenty concurrent messages of one sender", async () => {
    const db = await makeDb();
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => send(db, `Message number ${n}.`)));
    expect(results.filter(({ kind }) => kind === "sent")).toHaveLength(5);
    expect(results.filter(({ kind }) => kind === "rate-limited")).toHaveLength(15);
    expect(await countJobs(db)).toBe(5);
  });

  test("accepts a refused message later, with the same form, and stores its text and addresses only in the job", async () => {
    const db = await makeDb();
    for (let n = 0; n < 5; n++) await send(db, `Secret number ${n}.`);
    const refused = { kind: "rate-limited", until: now + 3_600_000, limit: "contact messages of a sender" };
    expect(await send(db, "One more secret.")).toEqual(refused);
    expect(await send(db, "One more secret.", now + 3_600_000)).toEqual({ kind: "sent" });
    const rows = JSON.stringify(await db.selectFrom("attempt").selectAll().execute());
    for (const text of ["ecret", "ada", "203.0.113"]) expect(rows).not.toContain(text);
  });
});

function send(db: Db, text: string, at = now) {
  const clock = () => at;
  const jobs = createJobs({ db, clock, log: pino({ level: "silent" }), handlers: {} });
  const rateLimits = createRateLimits({ db, log: pino({ level: "silent" }), secret, clock });
  const message = { name: "", email: "ada@example.com", message: text };
  const mail = { to: "desk@example.com", replyTo: message.email, subject: "Message", text };
  const options = { message, mail, formToken: "1.x", address: "203.0.113.9" };
  return sendMessage({ db, jobs, rateLimits }, options);
}

async function countJobs(db: Db): Promise<number> {
  return (await db.selectFrom("job").select("id").execute()).length;
}
