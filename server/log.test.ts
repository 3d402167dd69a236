import pino from "pino";
import { expect, test } from "vitest";

import { createHitLog, errorForLog } from "./log.ts";

test("a page from the cache is logged in the same form as every other request", () => {
  const byHand: string[] = [];
  const byPino: string[] = [];
  const path = '/u/"quoted"\\\u0000\u2028';
  const { logHit, flush } = createHitLog({ write: (text) => byHand.push(text) });
  logHit({ id: "abc-1", path, status: 200 });
  flush();
  pino({ base: null }, { write: (text: string) => void byPino.push(text) }).info({
    id: "abc-1",
    method: "GET",
    path,
    status: 200,
    cached: true,
  });
  const withoutTime = (line: string | undefined) => (line ?? "").replace(/"time":\d{13}/, '"time":0');
  expect(withoutTime(byHand[0])).toBe(withoutTime(byPino[0]));
});

test("many lines leave in blocks, none is lost, each is whole", () => {
  const written: string[] = [];
  const { logHit, flush } = createHitLog({ write: (text) => written.push(text) });
  for (let n = 0; n < 1_000; n++) logHit({ id: `abc-${n}`, path: "/card/demo-card", status: 200 });
  flush();
  expect(written.length).toBeLessThan(100);
  const ids = written
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(Array.from({ length: 1_000 }, (_, n) => `abc-${n}`));
});

test("an error is logged without the addresses of people that other programs put into it", () => {
  const refused = Object.assign(new Error("RCPT TO:<ada@example.com> refused"), {
    code: "EENVELOPE",
    rejected: ["ada@example.com"],
    cause: new Error("Key (email)=(ada@example.com) already exists"),
  });
  const logged = errorForLog(refused);
  expect(JSON.stringify(logged)).not.toContain("ada@");
  expect(logged).toMatchObject({ type: "Error", code: "EENVELOPE", message: "RCPT TO:<…> refused" });
});
