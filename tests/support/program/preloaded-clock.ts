import { readFileSync } from "node:fs";

import pg from "pg";

/**
 * Loaded into the program before its first module: its time, and what PostgreSQL says of its own, is the machine's plus the milliseconds in
 * the file TEST_CLOCK.
 */
const file = process.env["TEST_CLOCK"] ?? "";
const realNow = Date.now;

globalThis.Date = new Proxy(Date, {
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [now()], newTarget === globalThis.Date ? target : newTarget),
});

function now(): number {
  return realNow() + readAhead();
}

function readAhead(): number {
  return Number(readFileSync(file, "utf8"));
}

const { query } = pg.Client.prototype;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, statement: unknown, ...others: unknown[]) {
    const isOfTime = typeof statement === "string" && statement.includes("clock_timestamp()");
    const shifted = `(clock_timestamp() + interval '${readAhead()} milliseconds')`;
    return Reflect.apply(query, this, [
      isOfTime ? statement.replace("clock_timestamp()", shifted) : statement,
      ...others,
    ]);
  },
});
