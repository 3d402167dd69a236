import { Console } from "node:console";
import { once } from "node:events";
import { createServer } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

import { getRequestListener } from "@hono/node-server";
import type { Context } from "hono";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { Feature } from "#app/services/features/feature.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openRawConnection } from "#tests/support/program/connections.ts";

import { createCacheHitLog, errorForLog, limitRepeats, logConsole, newRequestId } from "./log.ts";

describe("the log of cached pages", () => {
  test("has the same format as the log of other requests", () => {
    const byHand: string[] = [];
    const byPino: string[] = [];
    const path = '/u/"quoted"\\\u0000\u2028';
    const { logHit, flush } = createCacheHitLog({ write: (text) => byHand.push(text) });
    logHit({ id: "abc-1", path, status: 200, traceparent: `00-${"a1".repeat(16)}-${"b2".repeat(8)}-01` });
    flush();
    const line = { id: "abc-1", trace: "a1".repeat(16), method: "GET", path, status: 200, cached: true };
    pino({ base: null }, { write: (text: string) => void byPino.push(text) }).info(line);
    const withoutTime = (text: string | undefined) => (text ?? "").replace(/"time":\d{13}/, '"time":0');
    expect(withoutTime(byHand[0])).toBe(withoutTime(byPino[0]));
  });

  test("writes whole lines in blocks and loses none", () => {
    const written: string[] = [];
    const { logHit, flush } = createCacheHitLog({ write: (text) => written.push(text) });
    for (let n = 0; n < 1_000; n++) logHit({ id: `abc-${n}`, path: "/card/demo-card", status: 200 });
    flush();
    expect(written.length).toBeLessThan(100);
    const lines = written.join("").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 1_000 }, (_, n) => `abc-${n}`));
  });
});

test("a warning or error that repeats is logged once a minute, with the number of lines left out, but for those about a request", () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = pino({ base: null }, limitRepeats({ write: (line) => lines.push(line) }));
  const fail = (n: number) => log.error({ err: new Error("disk full"), pending: n }, "not saved");
  const repeat = (from: number, until: number) => {
    for (let n = from; n < until; n++) fail(n);
  };
  const written = () => lines.splice(0).map((line) => JSON.parse(line));
  repeat(0, 100);
  log.error({ err: new Error("disk broken") }, "not saved");
  for (let n = 0; n < 2; n++) log.info({ path: "/" });
  for (const id of ["a-1", "a-2"]) log.error({ err: new Error("disk full"), id }, "request failed");
  expect(written().map(({ level, err, path, id }) => [level, err?.message ?? path, id])).toEqual([
    [50, "disk full", undefined],
    [50, "disk broken", undefined],
    ...[30, 30].map((level) => [level, "/", undefined]),
    ...["a-1", "a-2"].map((id) => [50, "disk full", id]),
  ]);
  vi.advanceTimersByTime(60_000);
  expect(written()).toMatchObject([{ pending: 99, leftOut: 98 }]);
  repeat(100, 102);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(written()).toMatchObject([{ pending: 101, leftOut: 1 }]);
  vi.advanceTimersByTime(60_000);
  fail(102);
  expect(written()).toMatchObject([{ pending: 102 }]);
});

test("an error is logged without the email addresses that other programs put into it", () => {
  const refused = Object.assign(new Error("RCPT TO:<ada@example.com> refused"), {
    code: "EENVELOPE",
    rejected: ["ada@example.com"],
    cause: new Error("Key (email)=(ada@example.com) already exists"),
  });
  const logged = errorForLog(refused);
  expect(JSON.stringify(logged)).not.toContain("ada@");
  expect(logged).toMatchObject({ type: "Error", code: "EENVELOPE", message: "RCPT TO:<…> refused" });
});

test("what a library prints is one warning each, without email addresses", async () => {
  const lines: string[] = [];
  const target = new Console(process.stdout);
  const warnings = process.listeners("warning");
  onTestFinished(() => {
    process.removeAllListeners("warning");
    for (const listener of warnings) process.on("warning", listener);
  });
  logConsole(pino({ base: null }, { write: (line: string) => void lines.push(line) }), target);
  target.log("two\nlines for %s", "ada@example.com", { deep: [1] });
  target.error("x".repeat(10_000));
  target.table([{ a: 1 }]);
  process.emitWarning("too many listeners");
  await nextTurn();
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged).toMatchObject([
    { level: 40, from: "console", msg: "two\nlines for … { deep: [ 1 ] }" },
    { level: 40, msg: `${"x".repeat(1_999)}…` },
    { level: 40, msg: expect.stringContaining("(index)") },
    { level: 40, err: { message: "too many listeners" } },
  ]);
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
});

describe("the request log", () => {
  test("has one line per request, with the id that the response carries and without queries and secret paths", async () => {
    const { visitor, logLines } = await createTestApp({ env: { DEMO: "on" } });
    const requests = [
      ["GET", "/card/demo-card?q", 200],
      ["GET", "/card/demo-card?q", 200],
      ["HEAD", "/card/demo-card", 200],
      ["GET", "/nowhere?token=secret", 404],
      ["GET", "/reset-password?token=secret", 200],
      ["POST", "/auth?returnTo=/secret", 403],
      ["PUT", "/auth", 405],
      ["GET", "/profile", 302],
      ["GET", "/healthz", 200],
    ] as const;
    for (const [method, path, status] of requests) {
      const response = await visitor().request(path, { method });
      expect(response.status, path).toBe(status);
      const id = response.headers.get("x-request-id");
      const lines = logLines.filter((line) => line["id"] === id && "status" in line);
      expect(lines).toMatchObject([{ method, path: path.split("?")[0], status, ms: expect.any(Number) }]);
    }
    // A link to shared details is valid as long as they are stored.
    const paths = ["/shared/secret", "/Shared/secret/", "/shared/secret.data", "/shared/secret/x", "/%73hared/secret"];
    for (const path of paths) await visitor().get(path);
    await visitor().post("/shared/secret", { intent: "withdraw" });
    expect(logLines).toContainEqual(expect.objectContaining({ method: "GET", path: "/shared/…" }));
    expect(JSON.stringify(logLines)).not.toContain("secret");
    const broken = await visitor().get('/a%0a{"level":30,"msg":"evil"}%0d%0a');
    const line = logLines.find(({ id }) => id === broken.headers.get("x-request-id"));
    expect(line).toMatchObject({ status: 404 });
    expect(logLines.filter(({ msg }) => msg === "evil")).toEqual([]);
  });

  test("names slow requests, and the trace that a valid traceparent begins", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const handler = () => (c: Context) => {
      vi.advanceTimersByTime(Number(c.req.query("ms")));
      return c.text("");
    };
    const features: Feature[] = [
      { rawRoutes: [{ method: "GET", path: "/waits", authentication: "none: public read", handler }] },
    ];
    const { visitor, logLines } = await createTestApp({ features });
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const requests = [
      { ms: 1_001, traceparent: `00-${trace}-b7ad6b7169203331-01` },
      { ms: 999, traceparent: `00-${"0".repeat(32)}-b7ad6b7169203331-01` },
      { ms: 0, traceparent: `00-${trace}"-b7ad6b7169203331-01` },
    ];
    for (const { ms, traceparent } of requests)
      await visitor().request(`/waits?ms=${ms}`, { headers: { traceparent } });
    const lines = logLines.filter(({ path }) => path === "/waits");
    expect(lines.map(({ level, msg, trace }) => ({ level, msg, trace }))).toEqual([
      { level: 40, msg: "a request took long", trace },
      { level: 30, msg: undefined, trace: undefined },
      { level: 30, msg: undefined, trace: undefined },
    ]);
  });

  test("has the cause of a failed request under the id that its page shows", async () => {
    const { signedIn, services, logLines } = await createTestApp();
    const ada = await signedIn();
    await services.db.schema.alterTable("session").renameTo("gone").execute();
    const response = await ada.get("/profile");
    expect(response.status).toBe(500);
    const page = await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    expect(page).toContain("Something went wrong");
    expect(page).toContain(id);
    expect(page).not.toMatch(/no such table|sqlite|session/i);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(logLines).toContainEqual(expect.objectContaining({ id, msg: "request failed", level: 50 }));
    expect(logLines).toContainEqual(expect.objectContaining({ id, status: 500 }));
  });

  test("has a 499, and no error, for a request whose client left", async () => {
    const { app, logLines } = await createTestApp();
    const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false })).listen(0, "127.0.0.1");
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
      const client = await openRawConnection(port);
      await client.send(
        "POST /auth HTTP/1.1\r\nHost: localhost:3000\r\nOrigin: http://localhost:3000\r\n" +
          `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\nemail=`,
      );
      await once(server, "request");
      client.close();
    }
    const statuses = () => logLines.filter(({ path }) => path === "/auth").map(({ status }) => status);
    await expect.poll(statuses).toContain(499);
    expect(statuses()).not.toContain(500);
    expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

test("request ids are unique", () => {
  const ids = new Set(Array.from({ length: 10_000 }, newRequestId));
  expect(ids.size).toBe(10_000);
});
