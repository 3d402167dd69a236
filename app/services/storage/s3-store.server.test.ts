import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import * as fc from "fast-check";
import pino from "pino";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { S3Settings } from "#app/services/config/settings.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";
import { startS3 } from "#tests/support/storage/s3.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { createS3Store, openS3Store } from "./s3-store.server.ts";

const settings: S3Settings = {
  endpoint: "https://s3.eu-central-1.example.com",
  bucket: "cards",
  region: "eu-central-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

type ReceivedRequest = { method: string | undefined; headers: IncomingMessage["headers"]; bytes: number };

/** Starts a server that responds as `respond` does and records its requests. Stops after the test. */
async function startServer(respond: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      requests.push({ method: request.method, headers: request.headers, bytes });
      respond(request, response, requests.length);
    });
  });
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, settings: { ...settings, endpoint: `http://127.0.0.1:${port}` } };
}

function tempFile(bytes: Uint8Array): string {
  const file = join(makeTempFolder(), "file");
  writeFileSync(file, bytes);
  return file;
}

test("signs each upload together with the hash of its content", async () => {
  const { requests, settings: recording } = await startServer((_, response) => response.end());
  const store = await createS3Store(recording);
  const content = new TextEncoder().encode("Ada");
  await store.put("avatars/a", content, "image/webp");
  await store.put("avatars/a", { file: tempFile(content) }, "image/webp");
  expect(requests).toHaveLength(2);
  for (const { headers } of requests) {
    expect(headers["x-amz-content-sha256"]).toBe(createHash("sha256").update(content).digest("hex"));
    expect(headers["content-type"]).toBe("image/webp");
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=[\w;-]*content-length;[\w;-]*host;[\w;-]*x-amz-content-sha256;x-amz-date[\w;-]*, Signature=[\da-f]{64}$/,
    );
  }
});

describe("when the S3 server has problems", () => {
  test("sends the whole file again, with its length, while the server is busy", async () => {
    const { requests, settings: busy } = await startServer((_, response, count) =>
      response.writeHead(count < 3 ? 503 : 200).end(),
    );
    await (await createS3Store(busy)).put("avatars/a", { file: tempFile(new Uint8Array(1_000_000)) }, "image/webp");
    const headers = expect.objectContaining({ "content-length": "1000000" });
    const whole = { method: "PUT", headers, bytes: 1_000_000 };
    expect(requests).toEqual([whole, whole, whole]);
  });

  test("gives up after three tries with an error that names no key", async () => {
    const { requests, settings: busy } = await startServer((_, response) =>
      response.writeHead(500).end("<Error><Code>InternalError</Code></Error>"),
    );
    const failed = (await createS3Store(busy)).remove("avatars/a");
    await expect(failed).rejects.toThrow("S3 responded to DELETE avatars/a with 500 InternalError");
    expect(requests).toHaveLength(3);
  });

  test("doesn't retry when the keys are rejected, and doesn't repeat what the server says about them", async () => {
    const { accessKeyId, secretAccessKey } = settings;
    const body = `<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId><StringToSign>${secretAccessKey}</StringToSign></Error>`;
    const { requests, settings: closed } = await startServer((_, response) => response.writeHead(403).end(body));
    const store = await createS3Store(closed);
    const error: unknown = await store.read("avatars/a").catch((caught: unknown) => caught);
    expect(String(error)).toContain("S3 responded to GET avatars/a with 403 SignatureDoesNotMatch");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/AKIDEXAMPLE|wJalr/);
    expect(requests).toHaveLength(1);
  });

  test("doesn't wait for a server that is silent", async () => {
    const { settings: silent } = await startServer(() => undefined);
    // Counted where they start: on a busy machine the limit may end before the server sees a request.
    const fetches = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => fetches.mockRestore());
    const failed = (await createS3Store(silent, { timeoutMs: 50 })).read("a");
    await expect(failed).rejects.toThrow("S3 didn't respond to GET a: no response within 0.05 s");
    expect(fetches).toHaveBeenCalledTimes(3);
  });

  test("throws when the connection breaks in the middle of a file, instead of returning a part of it", async () => {
    const { settings: broken } = await startServer((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await expect((await createS3Store(broken)).read("avatars/a")).rejects.toThrow("terminated");
  });

  test("reads a slow body for longer than a response may take to begin", async () => {
    const { settings: slow } = await startServer(async (_, response) => {
      response.writeHead(200, { "content-length": "4" }).flushHeaders();
      for (const letter of "slow") {
        await pause(300);
        response.write(letter);
      }
      response.end();
    });
    const bytes = await (await createS3Store(slow, { timeoutMs: 1_000 })).read("a");
    expect(new TextDecoder().decode(bytes)).toBe("slow");
  });
});

test("a start reports a missing bucket in one line without the keys", async () => {
  const opened = openS3Store({ ...(await startS3()), bucket: "missing" }, pino({ level: "silent" }));
  await expect(opened).rejects.toThrow(/^The bucket missing at http:\/\/127\.0\.0\.1:\d+ can't be used: S3 [^\n]*$/);
});

test("a start needs no server that can be reached just now", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const store = await openS3Store({ ...settings, endpoint: "http://127.0.0.1:9" }, log);
  await expect(store.read("avatars/a")).rejects.toThrow(/^S3 didn't respond to GET avatars\/a: /);
  expect(lines.join("")).toContain("can't be reached");
  expect(lines.join("")).not.toMatch(/AKIDEXAMPLE|wJalr/);
});

describe("a listing", () => {
  const listing = (inner: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</ListBucketResult>`;
  const entry = (key: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-11-21T10:11:12.000Z</LastModified><ETag>&quot;a&quot;</ETag><Size>1</Size></Contents>`;

  async function listAll(respond: (request: IncomingMessage, response: ServerResponse) => void, prefix = "") {
    const { settings: listed } = await startServer(respond);
    const store = await createS3Store(listed, { pageSize: 1 });
    return Array.fromAsync(store.list(prefix));
  }

  test("is read to its last page, each requested with the token of the page before", async () => {
    const tokens = ["", "1/b+c==&d", "2"];
    const files = await listAll((request, response) => {
      const query = new URL(request.url ?? "", "http://s3.invalid").searchParams;
      const page = tokens.indexOf(query.get("continuation-token") ?? "");
      const next = tokens[page + 1];
      const more = next ? `<NextContinuationToken>${next.replace("&", "&amp;")}</NextContinuationToken>` : "";
      const file = entry(`${query.get("prefix")}${page}`);
      response.end(listing(`<IsTruncated>${Boolean(next)}</IsTruncated>${more}${file}`));
    }, "avatars/");
    const writtenAt = Date.UTC(2026, 10, 21, 10, 11, 12);
    expect(files).toEqual(["avatars/0", "avatars/1", "avatars/2"].map((path) => ({ path, writtenAt })));
  });

  test("keeps names whose characters are escaped in XML", async () => {
    const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&#62;", '"': "&quot;", "'": "&#x27;" };
    const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
    const names = fc.sample(fc.string({ minLength: 1 }), 200).map((name) => `a${name}z`);
    const files = await listAll((_, response) => void response.end(listing(names.map(escape).map(entry).join(""))));
    expect(files.map(({ path }) => path)).toEqual(names);
    expect(await listAll((_, response) => void response.end(listing("<KeyCount>0</KeyCount>")))).toEqual([]);
  });

  test.each([
    ["an error", "<Error><Code>AccessDenied</Code></Error>"],
    ["a page of a proxy", "<html><body>Please sign in</body></html>"],
    ["an empty body", ""],
    ["a first page without the token for the next one", listing("<IsTruncated>true</IsTruncated>")],
    ["a file without a time", listing("<Contents><Key>a</Key></Contents>")],
  ])("throws for %s", async (_, xml) => {
    await expect(listAll((_request, response) => void response.end(xml))).rejects.toThrow(/S3/);
  });
});
