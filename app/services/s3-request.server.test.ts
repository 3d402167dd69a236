import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import { startS3 } from "#tests/support/s3.ts";

import { createS3Store, openS3 } from "./s3-files.server.ts";
import { createS3Client, signS3 } from "./s3-request.server.ts";
import type { S3Place } from "./s3-settings.ts";

const place: S3Place = {
  endpoint: "https://s3.eu-central-1.example.com",
  bucket: "cards",
  region: "eu-central-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

const key = "avatars/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed/avatar_1790000000000_192.webp";
const token = "1/ab+c==&d e~*'()";

/** Addresses as AWS's own presigner makes them: to get, put, delete and list. */
function presignedByAws(): URL[] {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = place;
  const program = join(import.meta.dirname, "../../tests/support/aws-presign.ts");
  const said = [endpoint, region, accessKeyId, secretAccessKey, bucket, key, "2026-11-21T10:11:12Z", token];
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...said], { encoding: "utf8" });
  if (!stdout) throw new Error(stderr);
  return z
    .array(z.string())
    .parse(JSON.parse(stdout))
    .map((address) => new URL(address));
}

describe("our signatures are those of AWS's own program", () => {
  const at = { datetime: "20261121T101112Z", expires: 600 };
  const list = { "list-type": "2", prefix: "avatars/", "max-keys": "2", "continuation-token": token };

  test("in an address, to get, put, delete and list", async () => {
    const theirs = presignedByAws();
    expect(theirs).toHaveLength(4);
    for (const [index, method] of (["GET", "PUT", "DELETE", "GET"] as const).entries()) {
      const url = theirs[index] ?? new URL("http://none.invalid");
      const query: Record<string, string> = index === 3 ? list : {};
      // What else theirs says of itself (its version, which checksums it would take) is signed too, so ours says the same.
      const rest = [...url.searchParams].filter(([name]) => !signed.includes(name) && !(name in query));
      const asked = { method, path: index === 3 ? "" : key, query: { ...query, ...Object.fromEntries(rest) } };
      const ours = await signS3(place, asked, at);
      expect(ours.url.pathname).toBe(url.pathname);
      for (const [name, value] of Object.entries(query)) expect(url.searchParams.get(name), name).toBe(value);
      for (const name of signed) expect(ours.url.searchParams.get(name), name).toBe(url.searchParams.get(name));
      expect(url.searchParams.get("X-Amz-Signature")).toMatch(/^[\da-f]{64}$/);
    }
  });
  const signed = ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"].map(
    (name) => `X-Amz-${name}`,
  );

  test("one letter more in the path, the secret or the time is another signature", async () => {
    const sign = async (over: Partial<S3Place>, path: string, when = at) =>
      (await signS3({ ...place, ...over }, { method: "GET", path }, when)).url.searchParams.get("X-Amz-Signature");
    const all = await Promise.all([
      sign({}, "a"),
      sign({}, "ab"),
      sign({ secretAccessKey: "x" }, "a"),
      sign({ region: "us-east-1" }, "a"),
      sign({}, "a", { ...at, datetime: "20261121T101113Z" }),
    ]);
    expect(new Set(all).size).toBe(all.length);
  });

  test("in a header, as requests of ours are sent: the server of the tests is told whose they are and what they hold", async () => {
    const { headers } = await signS3(place, { method: "PUT", path: "a", headers: { "x-amz-content-sha256": "abc" } });
    expect(headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[\da-f]{64}$/,
    );
  });
});

/** A server that answers as it is told, and remembers what it was asked. */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const asked: { method: string | undefined; length: string | undefined; bytes: number }[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (piece: Buffer) => (bytes += piece.length));
    request.on("end", () => {
      asked.push({ method: request.method, length: request.headers["content-length"], bytes });
      answer(request, response, asked.length);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { asked, place: { ...place, endpoint: `http://127.0.0.1:${port}` } };
}

describe("an S3 server on a bad day", () => {
  test("that is busy twice is asked a third time, and the file is sent whole each time, with its length", async () => {
    const { asked, place: busy } = await startServer((_, response, count) =>
      response.writeHead(count < 3 ? 503 : 200).end(),
    );
    const file = join(tmpdir(), `meishi-s3-${crypto.randomUUID()}`);
    writeFileSync(file, new Uint8Array(1_000_000));
    await createS3Store(busy, { firstPauseMs: 1 }).put("avatars/a", { file }, "image/webp");
    const whole = { method: "PUT", length: "1000000", bytes: 1_000_000 };
    expect(asked).toEqual([whole, whole, whole]);
  });

  test("that stays busy is an error, which names no key", async () => {
    const { asked, place: busy } = await startServer((_, response) =>
      response.writeHead(500).end("<Code>InternalError</Code>"),
    );
    const failed = createS3Store(busy, { firstPauseMs: 1 }).remove("avatars/a");
    await expect(failed).rejects.toThrow("S3 answered 500 InternalError to DELETE avatars/a");
    expect(asked).toHaveLength(3);
  });

  test("that refuses us is asked once, and what it says of our keys is not repeated", async () => {
    const { accessKeyId, secretAccessKey } = place;
    const body = `<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId><StringToSign>${secretAccessKey}</StringToSign></Error>`;
    const { asked, place: closed } = await startServer((_, response) => response.writeHead(403).end(body));
    const error: unknown = await createS3Store(closed)
      .read("avatars/a")
      .catch((caught: unknown) => caught);
    expect(String(error)).toContain("S3 answered 403 SignatureDoesNotMatch to GET avatars/a");
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/AKIDEXAMPLE|wJalr/);
    expect(asked).toHaveLength(1);
  });

  test("that is silent is not waited for", async () => {
    const { place: silent } = await startServer(() => undefined);
    const started = performance.now();
    const failed = createS3Client(silent, { firstPauseMs: 1, timeoutMs: 50 }).ask({ method: "GET", path: "a" });
    await expect(failed).rejects.toThrow("S3 did not answer to GET a: no answer within 0.05 s");
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test("that is not there is an error that says so", async () => {
    const gone = { ...place, endpoint: "http://127.0.0.1:9" };
    const failed = createS3Store(gone, { firstPauseMs: 1 }).read("avatars/a");
    await expect(failed).rejects.toThrow(/^S3 did not answer to GET avatars\/a: /);
  });

  test("that breaks off in the middle of a file breaks the reading, never shortens it", async () => {
    const { place: broken } = await startServer((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await expect(createS3Store(broken).read("avatars/a")).rejects.toThrow("terminated");
  });

  test("may send a file as slowly as it is read, longer than it may take to answer", async () => {
    const { place: slow } = await startServer(async (_, response) => {
      response.writeHead(200, { "content-length": "4" }).flushHeaders();
      for (const letter of "slow") {
        await pause(300);
        response.write(letter);
      }
      response.end();
    });
    const answer = await createS3Client(slow, { timeoutMs: 1_000 }).ask({ method: "GET", path: "a" });
    expect(await answer?.text()).toBe("slow");
  });
});

describe("at the start", () => {
  const log = pino({ level: "silent" });

  test("a bucket that is not there is said in one line, without the keys", async () => {
    const s3 = await startS3();
    const error: unknown = await openS3({ ...s3, bucket: "nobodys" }, log).catch((caught: unknown) => caught);
    expect(String(error)).toMatch(/^StartProblem: The bucket nobodys at http:\/\/127\.0\.0\.1:\d+ can't be used: S3 /);
  });

  test("a server that can't be reached just now keeps nobody from starting", async () => {
    const lines: string[] = [];
    const store = await openS3(
      { ...place, endpoint: "http://127.0.0.1:9" },
      pino({}, { write: (line: string) => void lines.push(line) }),
    );
    expect(store.put).toBeTypeOf("function");
    expect(lines.join("")).toContain("can't be reached");
    expect(lines.join("")).not.toMatch(/AKIDEXAMPLE|wJalr/);
  });
});

test("a list of many pages is read to its end, each asked for as the one before says", async () => {
  const tokens = ["", "1/b+c==&d", "2"];
  const { place: paged } = await startServer((request, response) => {
    const query = new URL(request.url ?? "", "http://s3.invalid").searchParams;
    const page = tokens.indexOf(query.get("continuation-token") ?? "");
    const next = tokens[page + 1];
    const more = next ? `<NextContinuationToken>${next.replace("&", "&amp;")}</NextContinuationToken>` : "";
    const entry = `<Contents><Key>${query.get("prefix")}${page}</Key><LastModified>2026-11-21T10:11:12Z</LastModified></Contents>`;
    response.end(`<ListBucketResult><IsTruncated>${Boolean(next)}</IsTruncated>${more}${entry}</ListBucketResult>`);
  });
  const found: string[] = [];
  for await (const { path } of createS3Store(paged, { pageSize: 1 }).list("avatars/")) found.push(path);
  expect(found).toEqual(["avatars/0", "avatars/1", "avatars/2"]);
});
