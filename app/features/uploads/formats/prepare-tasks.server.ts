import type { Crop, Slot } from "#app/features/uploads/rules.ts";
import type { PreparedFiles } from "#app/features/uploads/storage/asset-rows.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

type PrepareRequest = { slot: Slot; upload: { file: string } | Uint8Array; filename: string; crop: Crop | undefined };

/** Validates an upload and converts it to the files that are stored, or refuses it. */
export const prepareUploadTask: WorkerTask<PrepareRequest, PreparedFiles> = {
  name: "prepare an upload",
  run: async ({ slot, upload, filename, crop }) => {
    if (slot === "resume") return (await import("./prepare-document.server.ts")).prepareDocument(upload, filename);
    return (await import("./prepare-images.server.ts")).prepareImages(upload, { slot, crop, filename });
  },
};
