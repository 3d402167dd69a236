import { readFileSync } from "node:fs";

/** Loaded into the program before its first module: its time is the machine's plus the milliseconds in the file TEST_CLOCK. */
const file = process.env["TEST_CLOCK"] ?? "";
const realNow = Date.now;

globalThis.Date = new Proxy(Date, {
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [now()], newTarget === globalThis.Date ? target : newTarget),
});

function now(): number {
  return realNow() + Number(readFileSync(file, "utf8"));
}
