import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";

import S3rver from "s3rver";
import type { Store } from "s3rver";
import { onTestFinished } from "vitest";

import type { S3Place } from "#app/services/s3-settings.ts";

/** An S3 server in this process, of a program that is not ours, with one empty bucket. Goes after the test. */
export async function startS3(bucket = "meishi-files"): Promise<S3Place> {
  const directory = mkdtempSync(join(tmpdir(), "meishi-s3-"));
  const s3 = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  writeWhole(s3.store);
  const { port } = await s3.run();
  onTestFinished(async () => {
    await s3.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  };
}

/** The settings that lead there. */
export function s3Environment(place: S3Place): Record<string, string> {
  return {
    S3_ENDPOINT: place.endpoint,
    S3_BUCKET: place.bucket,
    S3_REGION: place.region,
    S3_ACCESS_KEY_ID: place.accessKeyId,
    S3_SECRET_ACCESS_KEY: place.secretAccessKey,
  };
}

/**
 * It answers before a file is written, and removes a folder while another file is just being put there. S3 does neither: what was
 * acknowledged is there, whole.
 */
function writeWhole(store: Store): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    const md5 = createHash("md5").update(bytes).digest("hex");
    const path = store.getResourcePath(bucket, key, "object");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
  store.deleteObject = async (bucket, key) => {
    const parts = ["object", "object.md5", "metadata.json"] as const;
    for (const part of parts) rmSync(store.getResourcePath(bucket, key, part), { force: true });
  };
}
