import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";
import type { AssetStore } from "#tests/support/storage/asset-store.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { jpeg, pdf, plainImage } from "#tests/support/app/uploads.ts";
import { docx } from "#tests/support/fixtures/binary-files.ts";

import {
  findResume,
  removeAsset,
  removeAssetsOfCard,
  removeAssetsOfOwner,
  removeUnusedLinkImages,
  renameResume,
  storeAsset,
} from "./data.server.ts";
import { storageQuota } from "./rules.ts";

const resume = (words: string) => ({
  ownerId: "ada",
  slot: "resume" as const,
  upload: pdf(words),
  filename: `${words}.pdf`,
});
const logo = { ownerId: "ada", slot: "logo:card-of-ada" as const };
const avatar = (upload: Buffer) => ({ ownerId: "ada", slot: "avatar" as const, upload });

for (const kind of ["folder", "s3"] as const) {
  describeOnEachDatabase(`uploads with files in ${kind}`, (makeDb) => {
    test("displays the last upload of each slot and deletes the previous ones", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      for (let times = 0; times < 2; times++) {
        for (const slot of ["avatar", "banner", logo.slot] as const) {
          const stored = await storeAsset(services, { ownerId: "ada", slot, upload: await jpeg() });
          expect(stored.kind).toBe("stored");
        }
        const stored = { kind: "stored", keyPrefix: "resumes/ada/resume", filename: "CV.pdf" };
        expect(await storeAsset(services, resume("CV"))).toEqual(stored);
      }
      await services.jobs.runDue();
      expect(await services.listFaults("ada")).toEqual([]);
      const { paths, profile } = await services.stateOf("ada");
      expect(paths).toHaveLength(3 + 3 + 2 + 1);
      expect(profile).toMatchObject({ resume_key_prefix: "resumes/ada/resume", resume_filename: "CV.pdf", version: 1 });
      expect(await services.stateOf("eda")).toMatchObject({ paths: [], assets: [] });
    });

    test("replaces a resume by one of another format", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      await storeAsset(services, resume("first"));
      await storeAsset(services, { ...resume("second"), upload: docx() });
      await services.jobs.runDue();
      const path = "resumes/ada/resume.docx";
      expect((await services.stateOf("ada")).paths).toEqual([path]);
      expect(await findResume(services.db, "ada")).toMatchObject({ path, filename: "second.docx" });
      await storeAsset(services, resume("third"));
      await removeAsset(services, { ownerId: "ada", slot: "resume" });
      await services.jobs.runDue();
      expect((await services.stateOf("ada")).paths).toEqual([]);
      expect(await services.listFaults("ada")).toEqual([]);
    });

    test("renames a resume, which keeps the extension of its format", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      const rename = (name: string) => renameResume(services, { ownerId: "ada", name });
      expect(await rename("none.pdf")).toBe(false);
      await storeAsset(services, resume("first"));
      expect(await rename("../Ada Lovelace.exe")).toBe(true);
      const filename = "Ada Lovelace.pdf";
      expect(await findResume(services.db, "ada")).toMatchObject({ path: "resumes/ada/resume.pdf", filename });
      expect((await services.stateOf("ada")).profile).toMatchObject({ resume_filename: filename, version: 1 });
      expect(await services.listFaults("ada")).toEqual([]);
    });

    test("stores one of twenty concurrent resumes, with its own name and content, and deletes the others", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      const names = Array.from({ length: 20 }, (_, n) => `cv-${n}`);
      const results = await Promise.all(names.map((name) => storeAsset(services, resume(name))));
      expect(results.map((result) => result.kind)).toContain("stored");
      await services.jobs.runDue();
      const shown = await findResume(services.db, "ada");
      const words = Buffer.from((await services.files.read("resumes/ada/resume.pdf")) ?? []).toString();
      expect(words).toContain(`%${shown?.filename.replace(".pdf", "")}\n`);
      expect(await services.listFaults("ada")).toEqual([]);
    });

    test("displays one of twenty concurrent images in a slot and deletes the others", async () => {
      const services = await openAssetStore(await makeDb(), kind);
      const bytes = await jpeg();
      const stored = await Promise.all(Array.from({ length: 20 }, () => storeAsset(services, avatar(bytes))));
      const keyPrefixes = stored.map((result) => (result.kind === "stored" ? result.keyPrefix : ""));
      expect(new Set(keyPrefixes).size).toBe(20);
      await services.jobs.runDue();
      expect(await services.listFaults("ada")).toEqual([]);
      expect((await services.stateOf("ada")).paths).toHaveLength(3);
    });
  });
}

describeOnEachDatabase("uploads", (makeDb) => {
  test("keeps twenty concurrent uploads within the quota, and says what is used and what to do", async () => {
    const services = await openAssetStore(await makeDb());
    const bytes = await jpeg();
    await storeAsset(services, avatar(bytes));
    const files = storageQuota.files - 6;
    await services.db.updateTable("storage").set({ files }).where("owner_id", "=", "ada").execute();
    const card = { owner_id: "ada", card_name: "Card", years: null, created_at: 1, updated_at: 1 };
    const cards = Array.from({ length: 20 }, (_, n) => ({ ...card, id: `card-${n}`, code: `${n}` }));
    await services.db.insertInto("card").values(cards).execute();
    const results = await Promise.all(
      cards.map(({ id }) => storeAsset(services, { ownerId: "ada", slot: `logo:${id}`, upload: bytes })),
    );
    expect(results.filter(({ kind }) => kind === "stored")).toHaveLength(3);
    const refused = results.find((result) => result.kind === "refused");
    expect(refused).toMatchObject({ status: 507 });
    expect(refused?.message).toMatch(
      /^Not enough space for this file: your account uses [\d.]+ of 50 MB and 200 of 200 files\. Remove a logo, /,
    );
    expect((await services.stateOf("ada")).quota.files).toBe(storageQuota.files);
    expect((await storeAsset(services, { ...avatar(bytes), ownerId: "eda" })).kind).toBe("stored");
  });

  test("accepts exactly as many bytes as the quota", async () => {
    const services = await openAssetStore(await makeDb());
    const upload = resume("CV");
    const bytes = storageQuota.bytes - upload.upload.length;
    const row = { owner_id: "ada", bytes: bytes + 1 };
    await services.db.insertInto("storage").values(row).execute();
    expect(await storeAsset(services, upload)).toMatchObject({ kind: "refused", status: 507 });
    await services.db.updateTable("storage").set({ bytes }).execute();
    expect(await storeAsset(services, upload)).toMatchObject({ kind: "stored" });
  });

  test("reverts an upload when the store fails halfway, and displays the previous one", async () => {
    const services = await openAssetStore(await makeDb());
    const first = await storeAsset(services, avatar(await jpeg()));
    let puts = 0;
    const put: typeof services.files.put = async (...file) => {
      if (++puts === 3) throw new Error("the store is down");
      await services.files.put(...file);
    };
    const failed = storeAsset({ ...services, files: { ...services.files, put } }, avatar(await jpeg()));
    await expect(failed).rejects.toThrow("the store is down");
    await services.jobs.runDue();
    expect(await services.listFaults("ada")).toEqual([]);
    expect((await services.stateOf("ada")).profile?.avatar_key_prefix).toBe(first.kind === "stored" && first.keyPrefix);
  });

  test("deletes a logo whose card is deleted while it is stored", async () => {
    const services = await openAssetStore(await makeDb());
    const put: typeof services.files.put = async (...file) => {
      await services.files.put(...file);
      await removeCard(services);
      await services.jobs.runDue();
    };
    const upload = { ...logo, upload: await jpeg() };
    const result = await storeAsset({ ...services, files: { ...services.files, put } }, upload);
    expect(result).toEqual({ kind: "refused", status: 404, message: "This card no longer exists." });
    await services.jobs.runDue();
    expect(await services.listFaults("ada")).toEqual([]);
    expect((await services.stateOf("ada")).paths).toEqual([]);
  });

  test("leaves no logo without a card when cards are deleted during uploads", async () => {
    const services = await openAssetStore(await makeDb());
    const upload = { ...logo, upload: await jpeg() };
    await Promise.all([...Array.from({ length: 6 }, () => storeAsset(services, upload)), removeCard(services)]);
    await services.jobs.runDue();
    expect(await services.listFaults("ada")).toEqual([]);
    expect((await services.stateOf("ada")).paths).toEqual([]);
  });

  test("deletes every row, file and usage count of a deleted account", async () => {
    const services = await openAssetStore(await makeDb());
    for (const slot of ["avatar", logo.slot] as const)
      await storeAsset(services, { ownerId: "ada", slot, upload: await jpeg() });
    await storeAsset(services, resume("CV"));
    await storeAsset(services, { ...avatar(await jpeg()), ownerId: "eda" });
    await transact(services.db, (trx) => removeAssetsOfOwner(trx, services.jobs, "ada"));
    await services.jobs.runDue();
    expect(await services.stateOf("ada")).toMatchObject({ paths: [], assets: [], quota: { bytes: 0, files: 0 } });
    expect(await services.db.selectFrom("storage").select("owner_id").execute()).toEqual([{ owner_id: "eda" }]);
    expect(await services.listFaults("eda")).toEqual([]);
  });

  test("deletes the images that no saved link names, one hour after their upload", async () => {
    const services = await openAssetStore(await makeDb());
    const { db, jobs, clock } = services;
    const store = async (slot: `picture:${string}`) => {
      const stored = await storeAsset(services, { ownerId: "ada", slot, upload: await jpeg() });
      return "keyPrefix" in stored ? stored.keyPrefix : "";
    };
    const [saved, unused] = [await store("picture:saved"), await store("picture:unused")];
    const links = JSON.stringify([{ kind: "featured", picture: saved }]);
    await db.updateTable("profile").set({ links }).where("owner_id", "=", "ada").execute();
    const pathsAfter = async (time: number) => {
      await transact(db, (trx) => removeUnusedLinkImages(trx, jobs, { ownerId: "ada", now: time }));
      await jobs.runDue();
      return (await services.stateOf("ada")).paths;
    };
    expect(await pathsAfter(clock())).toEqual([`${saved}.webp`, `${unused}.webp`]);
    expect(await pathsAfter(clock() + 2 * 60 * 60_000)).toEqual([`${saved}.webp`]);
    expect((await services.stateOf("ada")).quota).toMatchObject({ files: 1 });
  });

  test("publishes a change of the owner once it is committed", async () => {
    const services = await openAssetStore(await makeDb());
    await storeAsset(services, { ownerId: "ada", slot: "banner", upload: await plainImage(9, 9).webp().toBuffer() });
    await removeAsset(services, { ownerId: "ada", slot: "banner" });
    expect((await removeAsset(services, { ownerId: "ada", slot: "logo:card-of-eda" })).kind).toBe("refused");
    expect(services.recorded.map(({ kind, ownerId }) => [kind, ownerId])).toEqual([
      ["file.saved", "ada"],
      ["file.removed", "ada"],
    ]);
  });
});

function removeCard({ db, jobs }: AssetStore) {
  return transact(db, async (trx) => {
    // The same order of locks as in the product.
    await removeAssetsOfCard(trx, jobs, { ownerId: "ada", cardId: "card-of-ada" });
    await trx.deleteFrom("card").where("id", "=", "card-of-ada").execute();
  });
}
