import { messages, notResume } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import type { PreparedFiles } from "#app/features/uploads/storage/asset-rows.server.ts";
import { withByteSource } from "#app/services/archives/byte-source.server.ts";
import type { ByteSource } from "#app/services/archives/byte-source.server.ts";
import { oneLine } from "#app/services/base/plain-text.ts";
import { safeFileName } from "#app/services/http/file-name.ts";

import { detectFormat, headBytes } from "./detect.server.ts";
import type { FileFormat } from "./detect.server.ts";
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
  extension: DocumentExtension;
  type: string;
  size: number;
  isPassive: boolean | undefined;
};

async function identifyDocument(source: ByteSource): Promise<IdentifiedDocument | Refusal> {
  const { size } = source;
  if (size === 0) return refuse(422, messages.empty);
  const extension = await validateDocument(detectFormat(await source.read(0, headBytes)), source);
  if (typeof extension === "object") return extension;
  const isPassive = extension === "pdf" ? await isPassivePdf(Buffer.from(await source.read(0, size))) : undefined;
  return { kind: "document", extension, type: documentTypes[extension], size, isPassive };
}

type DocumentExtension = keyof typeof documentTypes;

const documentTypes = {
  pdf: "application/pdf",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  dotx: "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
} as const;

async function validateDocument(
  format: FileFormat | undefined,
  source: ByteSource,
): Promise<DocumentExtension | Refusal> {
  if (format === "pdf") return (await validatePdf(source)) ?? "pdf";
  if (format === "ole") return (await validateDoc(source)) ?? "doc";
  if (format === "zip") return validateDocx(source);
  const isImage = format === "jpeg" || format === "png" || format === "webp";
  return refuse(415, format && !isImage ? notResume(format) : messages.resumeType);
}

/** The file name of a resume whose own name has no usable characters. */
export const defaultResumeName = "resume";

/** The name to save a resume under, with the extension of its format: "C:\\Users\\Zoë\\CV.final.html" and "pdf" -> "CV.final.pdf". */
export function resumeFileName(name: string, extension: string): string {
  const last = oneLine(name).split(/[/\\]/).at(-1) ?? "";
  return safeFileName(withoutExtension(last), { extension, otherwise: defaultResumeName });
}

/** "CV v2.1 final" has no extension; "cv.pdf.exe" loses both. */
function withoutExtension(name: string): string {
  return name.replace(/(?:\.(?:pdf|do[ct]x?))*\.[A-Za-z0-9]{1,5}$/i, "");
}
