import { expect, test } from "vitest";

import { makeStore } from "#tests/support/storage/stores.ts";

import { copyFiles } from "./copy-files.server.ts";

test("copies from a folder to a bucket what it doesn't have, and leaves the folder as it is", async () => {
  const [folder, bucket] = [await makeStore("folder"), await makeStore("s3")];
  const bytes = new Uint8Array(100_000).fill(7);
  await folder.put("store-id", Buffer.from("one"), "text/plain");
  await folder.put("avatars/ada/avatar_1.webp", bytes, "image/webp");
  await folder.put("status/x/probe", bytes, "application/octet-stream");
  expect(await copyFiles(folder, bucket)).toEqual({ copied: 2, existing: 0 });
  await folder.put("documents/ada/resume_2.pdf", bytes, "application/pdf");
  expect(await copyFiles(folder, bucket)).toEqual({ copied: 1, existing: 2 });
  expect(await bucket.read("avatars/ada/avatar_1.webp")).toEqual(bytes);
  expect(await bucket.read("documents/ada/resume_2.pdf")).toEqual(bytes);
  expect(await bucket.read("status/x/probe")).toBeUndefined();
  expect(Buffer.from((await folder.read("store-id")) ?? []).toString()).toBe("one");
});
