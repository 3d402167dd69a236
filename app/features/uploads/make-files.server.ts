import type { FileBody } from "#app/services/files.server.ts";

import { makeDocument } from "./documents.server.ts";
import { makePictures } from "./pictures.server.ts";
import type { Refusal } from "./refusal.ts";
import type { Crop, Slot } from "./rules.ts";

/** A file on this machine's disk or, where it is small and ours, its bytes. */
export type Upload = {
  slot: Slot;
  upload: { file: string } | Uint8Array;
  filename?: string | undefined;
  crop?: Crop | undefined;
};

/** One form in which an upload is kept; `end` comes behind the stem: "_192.webp". */
export type MadeFile = { end: string; type: string; bytes: number; body: FileBody };

export type Made = { kind: "made"; files: MadeFile[]; filename: string } | Refusal;

/** What an upload is kept as: pictures drawn anew in each form, a document as it is. What is not taken comes with the reason. */
export async function makeFiles({ slot, upload, filename = "", crop }: Upload): Promise<Made> {
  return slot === "resume" ? makeDocument(upload, filename) : makePictures(upload, { slot, crop });
}
