import { messages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import type { PreparedFiles } from "#app/features/uploads/storage/asset-rows.server.ts";
import { oneLine } from "#app/services/base/plain-text.ts";
import { safeFileName } from "#app/services/http/file-name.ts";

import { detectFormat, withByteSource } from "./detect.server.ts";
import type { ByteSource, FileFormat } from "./detect.server.ts";
import { validateDoc } from "./validate-doc.server.ts";
import { validateDocx } from "./validate-docx.server.ts";
import { isPassivePdf, validatePdf } from "./validate-pdf.server.ts";

/** Accepts a PDF or Word document unchanged. Its bytes decide what it is and which extension its name gets, not its name. */
export async function prepareDocument(upload: { file: string } | Uint8Array, filename: string): Promise<PreparedFiles> {
  const document = await withByteSource(upload, identifyDocument);
  if (document.kind === "refused") return document;
  const { extension, type, size, isPassive } = document;
  const body = upload instanceof Uint8Array ? upload : { file: upload.file };
  const file = { suffix: `.${extension}`, type, bytes: size, body, isPassive };
  return { kind: "prepared", files: [file], filename: resumeFileName(filename, extension) };
}

type IdentifiedDocument = {
  kind: "document";
  extension: string;
  type: string;
  size: number;
  isPassive: boolean | undefined;
};

async function identifyDocument(source: ByteSource): Promise<IdentifiedDocument | Refusal> {
  const { size } = source;
  if (size === 0) return refuse(422, messages.empty);
  const format = detectFormat(await source.read(0, 16));
  const rule = format && documentRules.get(format);
  if (!rule) return refuse(415, messages.resumeType);
  const refusal = await rule.validate(source);
  if (refusal) return refusal;
  const isPassive = format === "pdf" ? await isPassivePdf(Buffer.from(await source.read(0, size))) : undefined;
  return { kind: "document", extension: rule.extension, type: rule.type, size, isPassive };
}

type DocumentRule = {
  extension: string;
  type: string;
  validate: (source: ByteSource) => Promise<Refusal | undefined>;
};

const documentRules = new Map<FileFormat, DocumentRule>([
  ["pdf", { extension: "pdf", type: "application/pdf", validate: validatePdf }],
  ["ole", { extension: "doc", type: "application/msword", validate: validateDoc }],
  [
    "zip",
    {
      extension: "docx",
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      validate: validateDocx,
    },
  ],
]);

/** The file name of a resume whose own name has no usable characters. */
export const defaultResumeName = "resume";

/** The name to save a resume under, with the extension of its format: "C:\\Users\\Zoë\\CV.final.html" and "pdf" -> "CV.final.pdf". */
function resumeFileName(name: string, extension: string): string {
  const last = oneLine(name).split(/[/\\]/).at(-1) ?? "";
  return safeFileName(withoutExtension(last), { extension, otherwise: defaultResumeName });
}

/** "CV v2.1 final" has no extension; "cv.pdf.exe" loses both. */
function withoutExtension(name: string): string {
  return name.replace(/(?:\.(?:pdf|docx?))*\.[A-Za-z0-9]{1,5}$/i, "");
}
