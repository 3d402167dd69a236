import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import type { FileStorage } from "./file-storage.server.ts";
import { describeOnEachStore } from "#tests/support/storage/stores.ts";

const path = "avatars/u1/avatar_1790000000000_192.webp";
const encode = (text: string) => new TextEncoder().encode(text);
const textOf = async (files: FileStorage, at: string) => {
  const bytes = await files.read(at);
  return bytes && new TextDecoder().decode(bytes);
};

async function listAll(files: FileStorage, prefix: string) {
  const found: { path: string; writtenAt: number }[] = [];
  for await (const entry of files.list(prefix)) found.push(entry);
  return found.toSorted((a, b) => a.path.localeCompare(b.path));
}

describeOnEachStore("files", (makeFiles, kind) => {
  test("returns a file with its size, byte for byte", async () => {
    const files = await makeFiles();
    const bytes = new Uint8Array(randomBytes(300_000));
    await files.put(path, bytes, "image/webp");
    expect(Buffer.compare((await files.read(path)) ?? new Uint8Array(), bytes)).toBe(0);
    const found = await files.open(path);
    expect(found?.size).toBe(300_000);
    expect(Buffer.compare(Buffer.from(await new Response(found?.body).arrayBuffer()), bytes)).toBe(0);
  });

  test("stores a temporary file of no bytes or of five million", async () => {
    const files = await makeFiles();
    for (const size of [0, 5_000_000]) {
      const bytes = randomBytes(size);
      const file = files.tempPath();
      expect(files.tempPath()).not.toBe(file);
      writeFileSync(file, bytes);
      await files.put("resumes/u1/resume.pdf", { file }, "application/pdf");
      expect(Buffer.compare((await files.read("resumes/u1/resume.pdf")) ?? Buffer.from("x"), bytes)).toBe(0);
    }
  });

  test("returns undefined for a missing or removed file, even when its path is a folder or below a file", async () => {
    const files = await makeFiles();
    await files.put("avatars/u1/a.webp", encode("a"), "image/webp");
    for (const missing of [path, "avatars", "avatars/u1", "avatars/u1/a.webp/b.webp"]) {
      expect(await files.open(missing), missing).toBeUndefined();
      expect(await files.read(missing), missing).toBeUndefined();
      await files.remove(missing);
    }
    expect(await textOf(files, "avatars/u1/a.webp")).toBe("a");
    for (let times = 0; times < 2; times++) await files.remove("avatars/u1/a.webp");
    expect(await files.read("avatars/u1/a.webp")).toBeUndefined();
  });

  // S3 guarantees it; the test server does not.
  test.skipIf(kind === "s3")("returns the complete old or new file while it is replaced", async () => {
    const files = await makeFiles();
    const versions = ["a", "b", "c", "d"].map((letter) => encode(letter.repeat(400_000)));
    const put = (version: Uint8Array) => files.put("resumes/u1/resume.pdf", version, "application/pdf");
    for (const version of versions.slice(0, 1)) await put(version);
    const state = { isDone: false };
    const writer = (async () => {
      for (let times = 0; times < 5; times++) for (const version of versions) await put(version);
      state.isDone = true;
    })();
    let reads = 0;
    for (; !state.isDone; reads++) {
      const text = (await textOf(files, "resumes/u1/resume.pdf")) ?? "";
      expect(text.length).toBe(400_000);
      expect(text).toBe((text[0] ?? "").repeat(400_000));
      await pause(0);
    }
    await writer;
    expect(reads).toBeGreaterThan(3);
  });

  test("allows twenty concurrent writes and removals in one folder", async () => {
    const files = await makeFiles();
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        for (let times = 0; times < 5; times++) {
          await files.put(`avatars/u1/avatar_${n}.jpg`, encode(`${n}`), "image/jpeg");
          if (times < 4 || n % 2) await files.remove(`avatars/u1/avatar_${n}.jpg`);
        }
      }),
    );
    expect(await listAll(files, "avatars/")).toHaveLength(10);
  });

  test("lists files by prefix with their times, without temporary files", async () => {
    const files = await makeFiles();
    const started = Date.now();
    const all = ["avatars/u1/a.webp", "avatars/u1/b.webp", "avatars/u2/a.webp", "banners/u1/a.jpg"];
    for (const one of all) await files.put(one, encode("x"), "image/webp");
    writeFileSync(files.tempPath(), "begun");
    const paths = async (prefix: string) => (await listAll(files, prefix)).map((entry) => entry.path);
    expect(await paths("avatars/")).toEqual(all.slice(0, 3));
    expect(await paths("avatars/u1/")).toEqual(all.slice(0, 2));
    expect(await paths("avatars/u")).toEqual(all.slice(0, 3));
    expect(await paths("")).toEqual(all);
    expect(await paths("resumes/")).toEqual([]);
    // S3 counts in seconds.
    for (const { writtenAt } of await listAll(files, "")) {
      expect(writtenAt).toBeGreaterThan(started - 2_000);
      expect(writtenAt).toBeLessThan(Date.now() + 2_000);
    }
  });

  test("rejects a path that could leave the store", async () => {
    const files = await makeFiles();
    const leaving = ["../secrets.json", "avatars/../../secrets.json", "/etc/passwd", "avatars//a", "avatars/./a"];
    const hidden = ["avatars/", "", ".drafts/a", "avatars/.hidden"];
    const strange = ["avatars/a\0.webp", "avatars/a b", "avatars\\a", "avatars/ä", "avatars/%2e%2e/a", "a".repeat(401)];
    for (const wrong of [...leaving, ...hidden, ...strange]) {
      const put = (path: string) => files.put(path, encode("x"), "text/plain");
      for (const operation of [put, files.open, files.read, files.remove])
        await expect(operation(wrong), wrong).rejects.toThrow("isn't a valid storage path");
    }
  });

  test("throws for a missing temporary file and keeps the old file", async () => {
    const files = await makeFiles();
    await files.put("resumes/u1/resume.pdf", encode("old"), "application/pdf");
    const file = files.tempPath();
    const put = files.put("resumes/u1/resume.pdf", { file }, "application/pdf");
    await expect(put).rejects.toThrow(/ENOENT|unable to load|Unable to open/i);
    expect(existsSync(file)).toBe(false);
    expect(await textOf(files, "resumes/u1/resume.pdf")).toBe("old");
  });

  test("releases a body that is canceled", async () => {
    const files = await makeFiles();
    await files.put(path, new Uint8Array(2_000_000), "image/webp");
    for (let times = 0; times < 30; times++) await (await files.open(path))?.body.cancel();
    await files.remove(path);
    expect(await files.open(path)).toBeUndefined();
  });
});
