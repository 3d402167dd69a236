import { afterEach, expect, test, vi } from "vitest";

import { openAssetStore } from "#tests/support/storage/asset-store.ts";
import type { AssetStore } from "#tests/support/storage/asset-store.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";

import { storeAsset } from "#app/features/uploads/data.server.ts";
import { reserveUpload } from "./reserve.server.ts";
import { sweepStore, sweepUploads } from "./sweep.server.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

afterEach(() => {
  vi.restoreAllMocks();
});

const files = [".webp", ".png"].map((suffix) => ({ suffix, type: "image/png", bytes: 10 }));

/** An upload whose process was killed after taking quota and writing this many of its files. */
async function interrupt(services: AssetStore, written: number, slot: "avatar" | "resume" = "avatar") {
  const reserved = await reserveUpload(services, { ownerId: "ada", slot, files, filename: "" });
  if (reserved.kind === "refused") throw new Error(reserved.message);
  for (const { path, type } of reserved.asset.files.slice(0, written))
    await services.files.put(path, Buffer.alloc(10), type);
}

async function sweepAndWork(services: AssetStore) {
  await sweepUploads(services);
  await services.jobs.runDue();
}

for (const kind of ["folder", "s3"] as const) {
  describeOnEachDatabase(`the sweep, files in ${kind}`, (makeDb) => {
    test("reverts an interrupted upload once it is an hour old, whatever was written", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      await storeAsset(services, { ownerId: "ada", slot: "banner", upload: await jpeg() });
      for (const written of [0, 1, 2]) await interrupt(services, written);
      services.time.now += hour - 1_000;
      await sweepAndWork(services);
      expect((await services.stateOf("ada")).assets).toHaveLength(4);
      services.time.now += 2_000;
      await Promise.all([sweepAndWork(services), sweepAndWork(services)]);
      expect(await services.listFaults("ada")).toEqual([]);
      expect((await services.stateOf("ada")).paths).toHaveLength(3);
    });

    test("deletes files that no row references a day after they were written, and no others", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      await storeAsset(services, { ownerId: "ada", slot: "avatar", upload: await jpeg() });
      await storeAsset(services, { ownerId: "ada", slot: "resume", upload: pdf() });
      await sweepStore(services);
      const known = ["avatars/ada/avatar_1_192.webp", "resumes/ada/resume.doc", "pass-assets/gone/logos/logo_1.png"];
      const orphans = [...known, "avatars/ada/odd"];
      for (const path of orphans) await services.files.put(path, Buffer.alloc(3), "image/png");
      await services.files.put("backups/mine.tar", Buffer.alloc(3), "application/x-tar");
      services.time.now += day - hour;
      await sweepStore(services);
      for (const path of orphans) expect(await services.files.read(path), path).toBeDefined();
      services.time.now += 2 * hour;
      await Promise.all([sweepStore(services), sweepStore(services)]);
      for (const path of orphans) expect(await services.files.read(path), path).toBeUndefined();
      expect(await services.files.read("backups/mine.tar")).toBeDefined();
      expect(await services.listFaults("ada")).toEqual([]);
      expect((await services.stateOf("ada")).paths).toHaveLength(4);
      expect(await services.db.selectFrom("storage").select("owner_id").execute()).toEqual([{ owner_id: "ada" }]);
    });
  });
}

describeOnEachDatabase("the sweep", (makeDb) => {
  test("accepts the next resume three minutes after an interrupted one, and never deletes the displayed one", async () => {
    const services = await openAssetStore(await makeDb());
    await storeAsset(services, { ownerId: "ada", slot: "resume", upload: pdf("old") });
    await interrupt(services, 1, "resume");
    services.time.now += 4 * 60_000;
    const next = await storeAsset(services, { ownerId: "ada", slot: "resume", upload: pdf("new") });
    expect(next.kind).toBe("stored");
    services.time.now += 2 * day;
    await sweepAndWork(services);
    await sweepStore(services);
    expect(Buffer.from((await services.files.read("resumes/ada/resume.pdf")) ?? []).toString()).toContain("%new");
    expect(await services.listFaults("ada")).toEqual([]);
  });

  test("deletes nothing when the files belong to another database, or are on another node, and logs it", async () => {
    const db = await makeDb();
    const first = await openAssetStore(db);
    await storeAsset(first, { ownerId: "ada", slot: "avatar", upload: await jpeg() });
    await sweepStore(first);
    const empty = await openAssetStore(await makeDb());
    const warnings = vi.spyOn(empty.log, "warn");
    empty.time.now += 10 * day;
    await sweepStore({ ...empty, files: first.files });
    expect(String(warnings.mock.calls[0]?.[0])).toMatch(/^These files belong to another database\. /);
    expect((await first.stateOf("ada")).paths).toHaveLength(3);

    await db.deleteFrom("card").execute();
    await db.deleteFrom("profile").execute();
    const second = await openAssetStore(db);
    await second.files.put("avatars/ada/odd", Buffer.alloc(3), "image/png");
    const warn = vi.spyOn(second.log, "warn");
    second.time.now += 10 * day;
    await sweepStore(second);
    expect(String(warn.mock.calls[0]?.[0])).toMatch(/^This database’s files are stored elsewhere: /);
    expect(await second.files.read("avatars/ada/odd")).toBeDefined();
  });
});
