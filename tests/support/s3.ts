import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import S3rver from "s3rver";
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
