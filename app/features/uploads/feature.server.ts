import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { safeFileName } from "#app/services/http/file-name.ts";

import { listOwnFiles, removeUnusedLinkImages, sweepLinkImages } from "./data.server.ts";
import type { OwnFile } from "./data.server.ts";
import { serveStoredFile } from "./file-handler.server.ts";
import { cardIdOf, passImageOf, linkImageIdOf } from "./rules.ts";
import type { StoredFile } from "./storage/asset-rows.server.ts";
import { removeFiles, removeFilesJob } from "./storage/remove-files.server.ts";
import { sweepStore, sweepUploads } from "./storage/sweep.server.ts";
import { handleRemoval } from "./upload-handler.server.ts";

const uploadsExport: DataExport = {
  tables: ["asset", "storage"],
  explanations: [
    { name: "images/", text: "Your images, as they are stored: each in the sizes and formats that your pages use." },
    { name: "resume/", text: "Your resume, as you uploaded it." },
  ],
  sections: (source) => ({
    uploads: async () => {
      const own = await listOwnFiles(source.db, source.ownerId);
      return own.map(({ files, ...asset }) => ({
        slot: asset.slot,
        filename: asset.filename,
        createdAt: asset.createdAt,
        files: files.map((file) => ({ name: nameOf(asset, file), type: file.type, bytes: file.bytes })),
      }));
    },
    storage: async () =>
      (await source.db
        .selectFrom("storage")
        .select(["bytes", "files"])
        .where("owner_id", "=", source.ownerId)
        .executeTakeFirst()) ?? null,
  }),
  listFiles: async (source) => {
    const own = await listOwnFiles(source.db, source.ownerId);
    return own.flatMap((asset) =>
      asset.files.map((file) => ({
        name: nameOf(asset, file),
        open: async () => (await source.files.open(file.path))?.body,
      })),
    );
  },
};

/** "images/avatar_192.webp", "images/logo of card 7f….png", "resume/CV.pdf" */
function nameOf({ slot, keyPrefix, filename }: Omit<OwnFile, "files">, { path }: StoredFile): string {
  const suffix = path.slice(keyPrefix.length);
  if (slot === "resume") {
    const dot = filename.lastIndexOf(".");
    return `resume/${safeFileName(filename.slice(0, dot), { extension: suffix.slice(1), otherwise: "resume" })}`;
  }
  const [cardId, linkImageId] = [cardIdOf(slot), linkImageIdOf(slot)];
  const passImage = passImageOf(slot);
  if (passImage) return `images/pass ${passImage.kind} ${passImage.id}${suffix}`;
  if (cardId !== undefined) return `images/logo of card ${cardId}${suffix}`;
  return linkImageId === undefined ? `images/${slot}${suffix}` : `images/picture ${linkImageId}${suffix}`;
}

const storeSweep = { name: "store sweep", max: 1, windowMs: 20 * 60 * 60 * 1_000, isExpected: true } as const;

export const feature: Feature = {
  rawRoutes: [
    {
      // Images are public. The URL of a resume carries a signature, which the handler checks.
      method: "GET",
      path: "/files/*",
      headers: "resource",
      authentication: "none: public read",
      handler: serveStoredFile,
    },
    { method: "POST", path: "/uploads/:slot/remove", handler: handleRemoval },
  ],
  jobs: { [removeFilesJob]: removeFiles },
  dataExport: uploadsExport,
  subscribers: [
    {
      name: "pictures of removed links",
      kinds: ["profile.saved"],
      once: ({ jobs, clock }, { ownerId }, trx) => removeUnusedLinkImages(trx, jobs, { ownerId, now: clock() }),
    },
  ],
  maintenance: [
    { name: "unfinished uploads", run: sweepUploads },
    // Lists all stored files.
    { name: "unreferenced files", run: sweepStore, limit: storeSweep },
    { name: "pictures of removed links", run: sweepLinkImages },
  ],
};
