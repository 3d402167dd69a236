import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";
import { safeFileName } from "#app/services/http/file-name.ts";

import { cardIdOf, passImageOf, pictureIdOf } from "./rules.ts";
import { listAssetsOfOwners } from "./storage/asset-rows.server.ts";
import type { Asset, StoredFile } from "./storage/asset-rows.server.ts";

export const uploadsExport: DataExport = {
  tables: ["asset", "storage"],
  explanations: [
    { name: "images/", text: "Your images, as they are stored: each in the sizes and formats that your pages use." },
    { name: "resume/", text: "Your resume, as you uploaded it." },
  ],
  sections: (source) => ({
    uploads: async () => {
      const assets = await listReadyAssets(source);
      return assets.map(({ files, ...asset }) => ({
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
    const assets = await listReadyAssets(source);
    return assets.flatMap((asset) =>
      asset.files.map((file) => ({
        name: nameOf(asset, file),
        open: async () => (await source.files.open(file.path))?.body,
      })),
    );
  },
};

async function listReadyAssets({ db, ownerId }: ExportSource): Promise<Asset[]> {
  const assets = await listAssetsOfOwners(db, [ownerId]);
  return assets.filter(({ isReady }) => isReady).toSorted((a, b) => a.createdAt - b.createdAt);
}

/** "images/avatar_192.webp", "images/logo of card 7f….png", "resume/CV.pdf" */
function nameOf({ slot, keyPrefix, filename }: Omit<Asset, "files">, { path }: StoredFile): string {
  const suffix = path.slice(keyPrefix.length);
  if (slot === "resume") {
    const dot = filename.lastIndexOf(".");
    return `resume/${safeFileName(filename.slice(0, dot), { extension: suffix.slice(1), otherwise: "resume" })}`;
  }
  const [cardId, pictureId] = [cardIdOf(slot), pictureIdOf(slot)];
  const passImage = passImageOf(slot);
  if (passImage) return `images/pass ${passImage.kind} ${passImage.id}${suffix}`;
  if (cardId !== undefined) return `images/logo of card ${cardId}${suffix}`;
  return pictureId === undefined ? `images/${slot}${suffix}` : `images/picture ${pictureId}${suffix}`;
}
