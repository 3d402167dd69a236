import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";

import S3rver from "s3rver";
import type { Store } from "s3rver";

import type { S3Settings } from "#app/services/config/settings.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { makeTempFolder } from "./temp-folder.ts";

/** A third-party S3 server in this process with one empty bucket. Stops after the test. */
export async function startS3(bucket = "meishi-files"): Promise<S3Settings> {
  const s3 = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: makeTempFolder(),
    configureBuckets: [{ name: bucket }],
  });
  makeWritesAtomic(s3.store);
  const { port } = await s3.run();
  cleanUpAfterTest(() => s3.close());
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  };
}

/** The settings for such a server. */
export function s3Environment(settings: S3Settings): Record<string, string> {
  return {
    S3_ENDPOINT: settings.endpoint,
    S3_BUCKET: settings.bucket,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}

/**
 * s3rver answers before a file is written, and removes folders that another upload is using. Real S3 does neither: an acknowledged
 * object is there, complete.
 */
function makeWritesAtomic(store: Store): void {
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
