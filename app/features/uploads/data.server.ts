import { createFairQueue } from "#app/services/base/fair-queue.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { inKeyRanges } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { resumeFileName } from "./formats/prepare-document.server.ts";
import { prepareUploadTask } from "./formats/prepare-tasks.server.ts";
import { isPassivePdf } from "./formats/validate-pdf.server.ts";
import { fileUrl } from "./image-urls.ts";
import { serverMessages } from "./messages.ts";
import { passImageOf, refuse } from "./rules.ts";
import type { Crop, Refusal, Slot } from "./rules.ts";
import {
  deleteAsset,
  isStale,
  listAssets,
  listAssetsOfOwners,
  listUnusedLinkImages,
  setDisplayedFile,
  updateAssetFiles,
  usageOf,
  versionOf,
} from "./storage/asset-rows.server.ts";
import type { Asset, PreparedFile, PreparedFiles, StoredFile } from "./storage/asset-rows.server.ts";
import { commitUpload } from "./storage/commit-upload.server.ts";
import { deleteEmptyQuota, lockQuota, releaseQuota } from "./storage/quota.server.ts";
import { enqueueRemoval } from "./storage/remove-files.server.ts";
import { reserveUpload } from "./storage/reserve.server.ts";
import { signedResumeUrl } from "./storage/signed-url.server.ts";

/**
 * `filename` is the user's name for the file, stored for resumes and images of passes; `pathName` the name in the path under which an app
 * stores it; `avatarOptions` the options of a generated avatar as JSON; `version` that of the file that is to be replaced.
 */
export type StoreAssetRequest = {
  ownerId: string;
  slot: Slot;
  /** A file on the local disk or, when it is small and made by us, its bytes. */
  upload: { file: string } | Uint8Array;
  filename?: string | undefined;
  pathName?: string | undefined;
  crop?: Crop | undefined;
  avatarOptions?: string;
  version?: number | undefined;
};

export type StoreAssetResult = { kind: "stored"; keyPrefix: string; filename: string } | Refusal;

type UploadDeps = Pick<Services, "db" | "files" | "jobs" | "events" | "displays" | "clock" | "log">;

/**
 * Stores an uploaded file and displays it in place of the previous one, or refuses it and changes nothing. Throws when the store or the
 * database fails; what was begun is then reverted, now or by the sweep.
 */
export async function storeAsset(
  services: UploadDeps & Pick<Services, "workers">,
  request: StoreAssetRequest,
): Promise<StoreAssetResult> {
  const prepared = await prepareFiles(services, request);
  if (prepared.kind === "refused") return prepared;
  return storePreparedAsset(services, { ...request, files: prepared.files, filename: prepared.filename });
}

type PreparedAsset = Pick<StoreAssetRequest, "ownerId" | "slot" | "pathName" | "avatarOptions" | "version"> & {
  files: PreparedFile[];
  filename?: string;
};

/** The same with files that need no checks and no conversion: one for each variant of the slot. */
export async function storePreparedAsset(
  services: UploadDeps,
  { ownerId, slot, files, filename = "", pathName, avatarOptions, version }: PreparedAsset,
): Promise<StoreAssetResult> {
  const reserved = await reserveUpload(services, { ownerId, slot, files, filename, pathName, version });
  if (reserved.kind === "refused") return reserved;
  const { asset } = reserved;
  return commitUpload(services, { asset, bodies: files, avatarOptions: avatarOptions ?? null, version });
}

/**
 * Decodes one upload at a time in this process, because a large image takes 200 to 320 MB while it is decoded. An owner who sends many
 * files delays only their own. An upload that waits too long is refused.
 */
async function prepareFiles(
  { workers }: Pick<Services, "workers">,
  { ownerId, slot, upload, filename = "", crop }: StoreAssetRequest,
): Promise<PreparedFiles> {
  const result = await decodeQueue(ownerId, () => workers.run(prepareUploadTask, { slot, upload, filename, crop }));
  return result === "busy" ? refuse(503, serverMessages.busy) : result;
}

const decodeQueue = createFairQueue({ concurrency: 1, maxWaitMs: 45_000 });

/** Empties a slot and deletes its files; does nothing when it is empty. Refused for a card that the owner doesn't have. */
export async function removeAsset(
  services: UploadDeps,
  { ownerId, slot, version }: { ownerId: string; slot: Slot; version?: number | undefined },
): Promise<{ kind: "removed" } | Refusal> {
  const { db, jobs, events } = services;
  return transact(db, async (trx) => {
    await lockQuota(trx, ownerId);
    const all = await listAssets(trx, { ownerId, slot });
    if (isStale(all, version)) return refuse(412, serverMessages.stale);
    if (!(await setDisplayedFile(trx, services, { ownerId, slot, displayed: null }))) {
      await deleteEmptyQuota(trx, ownerId);
      return refuse(404, serverMessages.missingCard);
    }
    await deleteAssets(
      trx,
      jobs,
      all.filter(({ isReady }) => isReady),
    );
    await events.record(trx, { kind: "file.removed", ownerId, slot });
    return { kind: "removed" };
  });
}

export type OwnFile = Pick<Asset, "id" | "slot" | "keyPrefix" | "filename" | "pathName" | "files" | "createdAt"> & {
  version: number;
};

/** An owner's displayed files, oldest first. Each is stored as one or more files: the variants of an image. */
export async function listOwnFiles(db: Db, ownerId: string): Promise<OwnFile[]> {
  const assets = await listAssetsOfOwners(db, [ownerId]);
  return assets
    .filter(({ isReady }) => isReady)
    .map((asset) => ({ ...asset, version: versionOf(asset) }))
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** The path of a stored file; that of a resume is valid for an hour, and saves it. */
export function storedFileUrl(
  signing: Parameters<typeof signedResumeUrl>[0],
  { slot, keyPrefix }: OwnFile,
  file: StoredFile,
): string {
  return slot === "resume"
    ? signedResumeUrl(signing, file, true)
    : fileUrl(keyPrefix, file.path.slice(keyPrefix.length));
}

/** Gives the owner's resume another name for downloads, with the extension of its format. False without a resume. */
export async function renameResume(
  services: Pick<Services, "db" | "events" | "displays" | "clock">,
  { ownerId, name }: { ownerId: string; name: string },
): Promise<boolean> {
  return transact(services.db, async (trx) => {
    await lockQuota(trx, ownerId);
    const resume = (await listAssets(trx, { ownerId, slot: "resume" })).find(({ isReady }) => isReady);
    if (!resume) {
      await deleteEmptyQuota(trx, ownerId);
      return false;
    }
    const { id, keyPrefix, files } = resume;
    const filename = resumeFileName(name, files[0]?.path.split(".").at(-1) ?? "");
    await trx.updateTable("asset").set({ filename }).where("id", "=", id).execute();
    const displayed = { keyPrefix, filename, avatarOptions: null };
    await setDisplayedFile(trx, services, { ownerId, slot: "resume", displayed });
    await services.events.record(trx, { kind: "file.saved", ownerId, slot: "resume" });
    return true;
  });
}

/** Deletes a card's logo, and one that is being uploaded, in the transaction that deletes the card. */
export async function removeAssetsOfCard(
  trx: Trx,
  jobs: Services["jobs"],
  { ownerId, cardId }: { ownerId: string; cardId: string },
): Promise<void> {
  await lockQuota(trx, ownerId);
  await deleteAssets(trx, jobs, await listAssets(trx, { ownerId, slot: `logo:${cardId}` }));
  await deleteEmptyQuota(trx, ownerId);
}

/**
 * Deletes an owner's images that no link names, in the transaction that handles a save. One that was uploaded in the last hour may
 * belong to a form that isn't saved yet; the hourly sweep deletes it later.
 */
export async function removeUnusedLinkImages(
  trx: Trx,
  jobs: Services["jobs"],
  { ownerId, now }: { ownerId: string; now: number },
): Promise<void> {
  const unused = await listUnusedLinkImages(trx, { ownerId, before: now - unsavedImageMs });
  if (unused.length === 0) return;
  await lockQuota(trx, ownerId);
  await deleteAssets(trx, jobs, unused);
  await deleteEmptyQuota(trx, ownerId);
}

/** The same for all owners. */
export async function sweepLinkImages({ db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">): Promise<void> {
  const now = clock();
  await inKeyRanges(db, { table: "asset", key: "id" }, async (isInRange) => {
    const unused = await listUnusedLinkImages(db, { isInRange, before: now - unsavedImageMs });
    for (const ownerId of new Set(unused.map((asset) => asset.ownerId)))
      await transact(db, (trx) => removeUnusedLinkImages(trx, jobs, { ownerId, now }));
  });
}

const unsavedImageMs = 60 * 60_000;

export type PassImage = {
  slot: Slot;
  kind: "background" | "logo";
  id: string;
  keyPrefix: string;
  /** The user's name for the file. */
  filename: string;
  createdAt: number;
};

/** An owner's uploaded images for wallet passes, newest first. */
export async function listPassImages(db: Db | Trx, ownerId: string): Promise<PassImage[]> {
  const assets = await listAssetsOfOwners(db, [ownerId]);
  return assets
    .filter(({ isReady }) => isReady)
    .flatMap(({ slot, keyPrefix, filename, createdAt }) => {
      const image = passImageOf(slot);
      return image ? [{ ...image, slot, keyPrefix, filename, createdAt }] : [];
    })
    .toSorted((a, b) => b.createdAt - a.createdAt);
}

/** Deletes all files of an owner in the transaction that deletes the account. */
export async function removeAssetsOfOwner(trx: Trx, jobs: Services["jobs"], ownerId: string): Promise<void> {
  await lockQuota(trx, ownerId);
  await deleteAssets(trx, jobs, await listAssetsOfOwners(trx, [ownerId]));
  await trx.deleteFrom("storage").where("owner_id", "=", ownerId).execute();
}

export type Resume = StoredFile & { assetId: string; filename: string; isBeingReplaced: boolean };

/** The file of the owner's resume, the name to save it under, and whether an upload is about to overwrite it or has begun to. */
export async function findResume(db: Db, ownerId: string): Promise<Resume | undefined> {
  const assets = await listAssets(db, { ownerId, slot: "resume" });
  const displayed = assets.find(({ isReady }) => isReady);
  const file = displayed?.files[0];
  if (!displayed || !file) return undefined;
  const isBeingReplaced = assets.some((one) => !one.isReady && one.files.some(({ path }) => path === file.path));
  return { ...file, assetId: displayed.id, filename: displayed.filename, isBeingReplaced };
}

/** Whether browsers may display a resume. Inspects a PDF whose content was never inspected or is uncertain, and stores the result. */
export async function canDisplayResume(
  { db, files }: Pick<Services, "db" | "files">,
  { assetId, path, type, bytes, isPassive, isBeingReplaced }: Resume,
): Promise<boolean> {
  if (isBeingReplaced) return false;
  if (type !== "application/pdf" || isPassive !== undefined) return isPassive ?? false;
  const content = await files.read(path);
  if (!content) return false;
  const result = await isPassivePdf(Buffer.from(content));
  await updateAssetFiles(db, assetId, [{ path, type, bytes, isPassive: result }]);
  return result;
}

async function deleteAssets(trx: Trx, jobs: Services["jobs"], assets: Asset[]): Promise<void> {
  for (const { id, ownerId, files } of assets) {
    if (!(await deleteAsset(trx, id))) continue;
    await releaseQuota(trx, ownerId, usageOf(files));
    await enqueueRemoval(trx, jobs, { ownerId, paths: files.map(({ path }) => path) });
  }
}
