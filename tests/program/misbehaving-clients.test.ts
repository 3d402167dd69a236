import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openRawConnection } from "#tests/support/program/connections.ts";
import { residentBytes, startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

let program: Program;

beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

const head = (line: string, ...headers: string[]) =>
  [line, `Host: localhost:${program.port}`, `Origin: ${program.url}`, ...headers, "", ""].join("\r\n");

const form = "Content-Type: application/x-www-form-urlencoded";

async function send(data: string | Uint8Array) {
  const client = await openRawConnection(program.port);
  await client.send(data);
  return client;
}

/** The program still answers others, and its log has no error and no stack trace. */
async function expectWell() {
  expect((await fetch(`${program.url}/card/demo-card`)).status).toBe(200);
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect(program.errors()).toBe("");
  expect(program.output()).not.toMatch(/"level":[56]0/);
}

describe("a body that is too large", () => {
  test("is rejected by its Content-Length, and the connection is closed", async () => {
    for (const path of ["/auth", "/count", "/nowhere"]) {
      const client = await send(
        head(`POST ${path} HTTP/1.1`, "Content-Length: 3000000000", "Content-Type: text/plain"),
      );
      const mebibyte = new Uint8Array(1_048_576);
      let sent = 0;
      while (sent < 200 && (await client.send(mebibyte))) sent++;
      await client.ended;
      expect(client.status()).toBe(413);
      expect(client.answer()).toContain("You sent more than this page accepts.");
      expect(sent).toBeLessThan(200);
    }
    await expectWell();
  });

  test("without a Content-Length is cut off at 2 MB without using memory", async () => {
    const before = residentBytes(program);
    const sent = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = await send(
          head("POST /auth HTTP/1.1", "Transfer-Encoding: chunked", "Content-Type: text/plain"),
        );
        const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
        let bytes = 0;
        while (bytes < 200_000_000 && (await client.send(chunk))) bytes += 0x10000;
        await client.ended;
        return { bytes, status: client.status() };
      }),
    );
    expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThan(200_000_000);
    // A response is lost where the connection was reset because of data on its way.
    const statuses = new Set(sent.map(({ status }) => status));
    expect(statuses.union(new Set([0]))).toEqual(new Set([0, 413]));
    expect(residentBytes(program) - before).toBeLessThan(250_000_000);
    await expectWell();
  });

  test("with 1 MB of headers is rejected", async () => {
    const client = await send(`GET / HTTP/1.1\r\nHost: x\r\n${`X-Long: ${"x".repeat(1_000)}\r\n`.repeat(1_000)}\r\n`);
    await client.ended;
    expect([0, 431]).toContain(client.status());
    await expectWell();
  });
});

test("a hundred slow clients, which disconnect at different points, don't delay others", async () => {
  const starts = [
    "",
    "POST /auth HTT",
    head("GET /card/demo-card HTTP/1.1").slice(0, -2),
    head("POST /auth HTTP/1.1", "Content-Length: 1000", form) + "ema",
    head("POST /count HTTP/1.1", "Transfer-Encoding: chunked") + "5\r\nab",
    head("POST /profile HTTP/1.1", "Content-Length: 10", "Content-Type: multipart/form-data; boundary=x") + "--x",
  ];
  const slow = await Promise.all(Array.from({ length: 100 }, (_, n) => send(starts[n % starts.length] ?? "")));
  await Promise.all(Array.from({ length: 20 }, () => expectWell()));
  // None of them was given up for that.
  expect(slow.filter((client) => client.status() !== 0)).toEqual([]);
  for (const client of slow) client.close();
  // Some disconnect before they were noticed, or while they are answered.
  for (const start of [...starts, head("GET /card/demo-card HTTP/1.1"), head("GET /card/demo-card.data HTTP/1.1")])
    (await send(start)).close();
  await expectWell();
});

describe("an invalid or unusual request", () => {
  const local = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

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
    ["HTTP/1.0 without a host, from a monitor", "GET /healthz HTTP/1.0\r\n\r\n", 200],
    ["no host", "GET /card/demo-card HTTP/1.1\r\n\r\n", 400],
    ["a host that is none", "GET /nowhere HTTP/1.1\r\nHost: a b/c?d#e@f\r\nConnection: close\r\n\r\n", 400],
    ["another site's whole address", `GET http://evil.example/nowhere ${local}`, 404],
    ["two slashes", `GET //evil.example/profile ${local}`, 404],
    ["TRACE", "TRACE /profile HTTP/1.1\r\nHost: localhost\r\nCookie: a=secret\r\nConnection: close\r\n\r\n", 405],
    ["OPTIONS for all", `OPTIONS * ${local}`, 400],
    ["CONNECT, as to a proxy", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 0],
    ["a way out of the folder", `GET /assets/../../../../etc/passwd ${local}`, 404],
    ["another way out", `GET /assets/..%2f..%2f..%2f..%2fetc/passwd ${local}`, 404],
  ])("is answered, and the program goes on: %s", async (_, text, status) => {
    const client = await send(Buffer.from(text, "latin1"));
    await client.ended;
    expect(client.status()).toBe(status);
    expect(client.answer()).not.toMatch(/\n\s+at |secret|root:/);
    await expectWell();
  });

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
  ])("reaches no hidden endpoint, however it is spelled: %s", async (line) => {
    const client = await send(head(`${line} HTTP/1.1`, "Content-Length: 0", "Connection: close"));
    await client.ended;
    expect([400, 403, 404, 405]).toContain(client.status());
    expect(client.answer()).not.toContain('"ok"');
    await expectWell();
  });
});
