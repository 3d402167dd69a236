import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";

import { builtAssets } from "./built-assets.ts";

const folder = mkdtempSync(join(tmpdir(), "meishi-assets-"));
const video = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
// `serve` replaces the two for the whole process, as in production, where later tests of this worker would find them.
const ownGlobals = { Request, Response };
let server: Server;
let port = 0;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  for (const kind of ["webm", "mp4", "avif"]) writeFileSync(join(folder, `assets/ink.${kind}`), video);
  const app = new Hono();
  app.use("/assets/*", builtAssets(folder));
  app.notFound((c) => c.text("not there", 404));
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0 }, (address) => {
      port = address.port;
      resolve();
    }) as Server;
  });
});
afterAll(() => {
  server.close();
  Object.assign(globalThis, ownGlobals);
  rmSync(folder, { recursive: true });
});

test("a video among the built files is sent whole, with its type, and accepts ranges", async () => {
  for (const [kind, type] of Object.entries({ webm: "video/webm", mp4: "video/mp4", avif: "image/avif" })) {
    const { status, headers, body } = await send({}, `/assets/ink.${kind}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": type,
      "content-length": "1000",
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(body).toEqual(Buffer.from(video));
  }
});

test.each([
  ["bytes=0-1", 0, 1],
  ["bytes=0-", 0, 999],
  ["bytes=990-5000", 990, 999],
  ["bytes=-10", 990, 999],
  ["bytes=-5000", 0, 999],
  ["bytes=500-500", 500, 500],
] as const)("responds to %s with that range", async (range, first, last) => {
  const { status, headers, body } = await send({ range });
  expect(status).toBe(206);
  expect(headers["content-range"]).toBe(`bytes ${first}-${last}/1000`);
  expect(headers["content-length"]).toBe(String(last - first + 1));
  expect(headers["content-type"]).toBe("video/mp4");
  expect(body).toEqual(Buffer.from(video.slice(first, last + 1)));
});

test("responds to a range outside the file with 416, not to be cached, and for a missing file with 404", async () => {
  for (const range of ["bytes=1000-", "bytes=5000-6000", "bytes=-0"]) {
    const { status, headers, body } = await send({ range });
    expect([status, headers["content-range"], body.length], range).toEqual([416, "bytes */1000", 0]);
    expect(headers["cache-control"]).toBeUndefined();
  }
  expect((await send({ range: "bytes=0-1" }, "/assets/none.mp4")).status).toBe(404);
});

test("ignores other ranges and sends the whole file", async () => {
  for (const range of [
    "bytes=0-1,4-5",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes=5-2",
    "lines=0-1",
    "0-1",
    "bytes=0-1;x",
  ]) {
    const { status, headers, body } = await send({ range });
    expect([status, headers["content-range"], body.length], range).toEqual([200, undefined, 1000]);
  }
});

/** With node:http: fetch changes some Range headers. */
async function send(headers: Record<string, string>, path = "/assets/ink.mp4") {
  const [response]: IncomingMessage[] = await once(request({ port, path, headers }).end(), "response");
  if (!response) throw new Error("no response");
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
