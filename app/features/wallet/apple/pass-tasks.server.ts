import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { PassSigner } from "#app/services/config/apple-passes.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { PassPhotos } from "./pass-images.server.ts";
import type { PassJsonOptions } from "./pass-json.ts";

export type ApplePassInput = {
  content: PassContent;
  photos: PassPhotos;
  options: Omit<PassJsonOptions, "colors" | "passTypeId" | "teamId">;
  signer: PassSigner;
  /** Epoch milliseconds. */
  now: number;
};

/** Draws, packs and signs a pass for Apple Wallet: 30 to 80 ms of CPU. The output is a .pkpass file. */
export const applePassTask: WorkerTask<ApplePassInput, Uint8Array> = {
  name: "Apple Wallet pass",
  run: async ({ content, photos, options, signer, now }) => {
    const [{ drawPassImages }, { signPass }, { passJson }, { passLabels, formatStrings }] = await Promise.all([
      import("./pass-images.server.ts"),
      import("./signed-pass.server.ts"),
      import("./pass-json.ts"),
      import("./pass-labels.ts"),
    ]);
    const { files, colors } = await drawPassImages(content, photos);
    const json = passJson(content, { ...options, ...signer, colors });
    const strings = Object.entries(passLabels).map(([language, labels]): [string, Buffer] => [
      `${language}.lproj/pass.strings`,
      Buffer.from(formatStrings(labels)),
    ]);
    const texts = { "pass.json": Buffer.from(JSON.stringify(json)), ...Object.fromEntries(strings) };
    return signPass({ ...texts, ...files }, signer, now);
  },
};
