import { oneLine } from "#app/services/plain-text.ts";
import { safeFileName } from "#app/services/file-name.ts";

/** What a resume is called whose name leaves nothing. */
export const namelessResume = "resume";

/** The name to save a resume under: "C:\\Users\\Zoë\\CV.final.html", which is a PDF -> "CV.final.pdf". */
export function resumeFileName(name: string, extension: string): string {
  const last = oneLine(name).split(/[/\\]/).at(-1) ?? "";
  return safeFileName(withoutExtension(last), { extension, otherwise: namelessResume });
}

/** Only what looks like one: "CV v2.1 final" has none. Of several ("cv.pdf.exe") each that is a document's. */
function withoutExtension(name: string): string {
  return name.replace(/(?:\.(?:pdf|docx?))*\.[A-Za-z0-9]{1,5}$/i, "");
}
