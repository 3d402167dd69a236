import { refuseCompoundFile } from "./compound-file.server.ts";
import { resumeFileName } from "./file-name.ts";
import type { Made } from "./make-files.server.ts";
import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { sniff } from "./sniff.server.ts";
import type { FileKind } from "./sniff.server.ts";
import { withSource } from "./source.server.ts";
import type { Source } from "./source.server.ts";
import { refuseWordArchive } from "./word-archive.server.ts";

/** A resume as it is, if it is a PDF or a Word document: its bytes say so, not its name. What its name ends with is decided here. */
export async function makeDocument(upload: { file: string } | Uint8Array, filename: string): Promise<Made> {
  const found = await withSource(upload, identify);
  if (found.kind === "refused") return found;
  const { extension, type, size } = found;
  const body = upload instanceof Uint8Array ? upload : { file: upload.file };
  const file = { end: `.${extension}`, type, bytes: size, body };
  return { kind: "made", files: [file], filename: resumeFileName(filename, extension) };
}

type Document = { kind: "document"; extension: string; type: string; size: number };

async function identify(source: Source): Promise<Document | Refusal> {
  const { size } = source;
  if (size === 0) return refuse(422, messages.empty);
  const kind = sniff(await source.read(0, 16));
  const rule = kind && DOCUMENTS.get(kind);
  if (!rule) return refuse(415, messages.resumeType);
  return (await rule.refusal(source)) ?? { kind: "document", extension: rule.extension, type: rule.type, size };
}

type Rule = { extension: string; type: string; refusal: (source: Source) => Promise<Refusal | undefined> };

const DOCUMENTS = new Map<FileKind, Rule>([
  ["pdf", { extension: "pdf", type: "application/pdf", refusal: refuseCutOffPdf }],
  ["ole", { extension: "doc", type: "application/msword", refusal: refuseCompoundFile }],
  [
    "zip",
    {
      extension: "docx",
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      refusal: refuseWordArchive,
    },
  ],
]);

/** ISO 32000-1 §7.5.5: a whole one ends with %%EOF; readers look for it in the last kilobyte. */
async function refuseCutOffPdf({ size, read }: Source): Promise<Refusal | undefined> {
  const tail = Buffer.from(await read(Math.max(0, size - 1_024), 1_024));
  return tail.includes("%%EOF") ? undefined : refuse(422, messages.damagedDocument);
}
