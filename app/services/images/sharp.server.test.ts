import { expect, test } from "vitest";

import { createWorkerPool } from "#app/services/workers/worker-pool.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { decode } from "#tests/support/fixtures/sample-tasks.ts";

import { loadSharp } from "./sharp.server.ts";

const file = new URL("../../../tests/support/fixtures/sample-worker.ts", import.meta.url);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');

test("formats that are chosen in one thread hold in those that start later", async () => {
  const sharp = await loadSharp();
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const pool = createWorkerPool({ file });
  cleanUpAfterTest(pool.close);
  const decoded = await Promise.all([png, png].map((bytes) => pool.run(decode, bytes)));
  expect(decoded.map(({ format }) => format)).toEqual(["png", "png"]);
  expect(new Set(decoded.map(({ threadId }) => threadId)).size).toBe(2);
  await expect(pool.run(decode, svg)).rejects.toThrow("unsupported image format");
  await expect(sharp(svg).metadata()).rejects.toThrow("unsupported image format");
});
