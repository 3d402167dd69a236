import type { PartContent, PassContent, PassPart } from "#app/features/wallet/pass-content.ts";
import type { PassSigner } from "#app/services/config/apple-passes.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { DrawnPart, PassPhotos } from "./pass-images.server.ts";
import type { PassJsonOptions } from "./pass-json.ts";

export type PassPartInput = { part: PassPart; content: PartContent; photos: PassPhotos };

/** Draws a part of a pass: up to 100 ms of CPU for a photo with much detail. */
export const passPartTask: WorkerTask<PassPartInput, DrawnPart> = {
  name: "part of an Apple Wallet pass",
  run: async ({ part, content, photos }) => {
    const { drawPassPart } = await import("./pass-images.server.ts");
    return drawPassPart(part, content, photos);
  },
};

export type ApplePassInput = {
  content: PassContent;
  /** All parts, already drawn. */
  parts: readonly DrawnPart[];
  options: Omit<PassJsonOptions, "colors" | "passTypeId" | "teamId">;
  signer: PassSigner;
  /** Epoch milliseconds. */
  now: number;
};

/** Packs and signs a pass for Apple Wallet: 5 ms of CPU. The output is a .pkpass file. */
export const applePassTask: WorkerTask<ApplePassInput, Uint8Array> = {
  name: "Apple Wallet pass",
  run: async ({ content, parts, options, signer, now }) => {
    const [{ signPass }, { passJson }, { passLabels, formatStrings }] = await Promise.all([
      import("./signed-pass.server.ts"),
      import("./pass-json.ts"),
      import("./pass-labels.ts"),
    ]);
    const { text, label, background } = content.colors;
    const ownColors = { text, label, background: background[0] };
    const colors = parts.find((part) => part.colors)?.colors ?? ownColors;
    const json = passJson(content, { ...options, ...signer, colors });
    const strings = Object.entries(passLabels).map(([language, labels]): [string, Buffer] => [
      `${language}.lproj/pass.strings`,
      Buffer.from(formatStrings(labels)),
    ]);
    const texts = { "pass.json": Buffer.from(JSON.stringify(json)), ...Object.fromEntries(strings) };
    const images = Object.fromEntries(parts.flatMap(({ files }) => Object.entries(files)));
    return signPass({ ...texts, ...images }, signer, now);
  },
};
