import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { openRawConnection } from "#tests/support/program/connections.ts";

let program: Program;

beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

const head = (line: string, ...headers: string[]) =>
  [line, `Host: localhost:${program.port}`, `Origin: ${program.url}`, ...headers, "", ""].join("\r\n");

/** The program still answers others, and its log has no stack trace. */
async function expectWell() {
  expect((await fetch(`${program.url}/card/demo-card`)).status).toBe(200);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect(program.errors()).toBe("");
}

test("/healthz answers an HTTP/1.0 request without a host", async () => {
  const client = await openRawConnection(program.port);
  await client.send("GET /healthz HTTP/1.0\r\n\r\n");
  await client.ended;
  expect(client.status()).toBe(200);
});

describe("a body that is too large", () => {
  test.each(["/auth", "/profile", "/count", "/nowhere"])(
    "is rejected by its Content-Length, and the connection is closed: %s",
    async (path) => {
      const client = await openRawConnection(program.port);
      await client.send(head(`POST ${path} HTTP/1.1`, "Content-Length: 3000000000", "Content-Type: text/plain"));
      const mebibyte = new Uint8Array(1_048_576);
      let sent = 0;
      while (sent < 200 && (await client.send(mebibyte))) sent++;
      await client.ended;
      expect(client.status()).toBe(413);
      expect(client.answer()).toContain("You sent more than this page accepts.");
      expect(sent).toBeLessThan(200);
      await expectWell();
    },
  );

  test("without a Content-Length is cut off at 2 MB without using memory", async () => {
    const before = residentBytes(program.pid);
    const clients = await Promise.all(Array.from({ length: 10 }, () => openRawConnection(program.port)));
    const sent = await Promise.all(
      clients.map(async (client) => {
        await client.send(head("POST /auth HTTP/1.1", "Transfer-Encoding: chunked", "Content-Type: text/plain"));
        const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
        let bytes = 0;
        while (bytes < 200_000_000 && (await client.send(chunk))) bytes += 0x10000;
        await client.ended;
        return bytes;
      }),
    );
    for (const client of clients) expect(client.status()).toBe(413);
    expect(Math.max(...sent)).toBeLessThan(200_000_000);
    expect(residentBytes(program.pid) - before).toBeLessThan(250_000_000);
    await expectWell();
  });

  test("with 1 MB of headers is rejected", async () => {
    const client = await openRawConnection(program.port);
    await client.send(`GET / HTTP/1.1\r\nHost: x\r\n${`X-Long: ${"x".repeat(1_000)}\r\n`.repeat(1_000)}\r\n`);
    await client.ended;
    expect([0, 431]).toContain(client.status());
    await expectWell();
  });
});

describe("a slow client", () => {
  test("or a hundred of them don't delay others", async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, () => openRawConnection(program.port)));
    const starts = [
      "POST /auth HTT",
      head("POST /auth HTTP/1.1", "Content-Length: 1000", "Content-Type: application/x-www-form-urlencoded") + "ema",
      head("POST /auth HTTP/1.1", "Transfer-Encoding: chunked") + "5\r\nab",
      "",
    ];
    await Promise.all(slow.map((client, n) => client.send(starts[n % starts.length] ?? "")));
    const started = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => expectWell()));
    expect(performance.now() - started).toBeLessThan(5_000);
    for (const client of slow) client.close();
    await pause(100);
    await expectWell();
  });

  test("that disconnects at any point has no effect", async () => {
    for (const start of [
      "",
      "\r\n",
      "GET",
      head("GET /card/demo-card HTTP/1.1"),
      head("GET /card/demo-card.data HTTP/1.1"),
      head("POST /auth HTTP/1.1", "Content-Length: 1000", "Content-Type: application/x-www-form-urlencoded") + "email",
      head("POST /count HTTP/1.1", "Transfer-Encoding: chunked") + "5\r\nab",
      head("POST /profile HTTP/1.1", "Content-Length: 10", "Content-Type: multipart/form-data; boundary=x") + "--x",
    ]) {
      for (const wait of [0, 20]) {
        const client = await openRawConnection(program.port);
        await client.send(start);
        await pause(wait);
        client.close();
      }
    }
    await pause(200);
    await expectWell();
    expect(program.output()).not.toMatch(/"level":[56]0/);
  });
});

describe("an invalid or unusual request", () => {
  test.each([
    ["rubbish", "rubbish\r\n\r\n", 400],
    ["bytes", "\u0000\u0001\u0002\u00ff\r\n\r\n", 400],
    ["TLS where there is none", "\u0016\u0003\u0001\u0002\u0000\u0001", 400],
    ["a header with a NUL", "GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n", 400],
    ["two lengths", "POST /auth HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    [
      "length and chunks at once",
      "POST /auth HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["no host", "GET /card/demo-card HTTP/1.1\r\n\r\n", 400],
    ["a host that is none", "GET /nowhere HTTP/1.1\r\nHost: a b/c?d#e@f\r\nConnection: close\r\n\r\n", 400],
    [
      "another site's whole address",
      "GET http://evil.example/nowhere HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      404,
    ],
    ["two slashes", "GET //evil.example/profile HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404],
    ["TRACE", "TRACE /profile HTTP/1.1\r\nHost: localhost\r\nCookie: a=secret\r\nConnection: close\r\n\r\n", 405],
    ["PROPFIND", "PROPFIND / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
    ["OPTIONS for all", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
    [
      "a way out of the folder",
      "GET /assets/../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      404,
    ],
    [
      "another way out",
      "GET /assets/..%2f..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      404,
    ],
    [
      "a wish to speak otherwise",
      "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
      404,
    ],
  ])("is answered, and the program goes on: %s", async (_, said, status) => {
    const client = await openRawConnection(program.port);
    await client.send(Buffer.from(said, "latin1"));
    await expect.poll(() => client.status()).toBe(status);
    expect(client.answer()).not.toMatch(/\n\s+at |secret|root:/);
    client.close();
    await expectWell();
  });

  test("CONNECT doesn't turn the server into a proxy", async () => {
    const client = await openRawConnection(program.port);
    await client.send("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n");
    await Promise.race([client.ended, pause(3_000)]);
    expect(client.status()).not.toBe(200);
    client.close();
    await expectWell();
  });
});

/** 0 on a system without /proc. */
function residentBytes(pid: number): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

test.each([
  "GET /api/auth/callback/../ok",
  "GET /api/auth/callback/%2e%2e/ok",
  "GET /api/auth/callback/..%2fok",
  "GET /api/auth\\ok",
  "GET //localhost/api/auth/ok",
  "GET http://localhost/api/auth/ok",
  "GET /api/auth/ok#/callback/google",
  "POST /api/auth/callback/../sign-up/email",
  "OPTIONS /api/auth/sign-in/email",
])("no spelling of a request target reaches a hidden endpoint: %s", async (line) => {
  const client = await openRawConnection(program.port);
  await client.send(head(`${line} HTTP/1.1`, "Content-Length: 0", "Connection: close"));
  await client.ended;
  expect([400, 403, 404, 405]).toContain(client.status());
  expect(client.answer()).not.toContain('"ok"');
  await expectWell();
});
