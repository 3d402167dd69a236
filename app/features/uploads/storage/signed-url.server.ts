import { isEqualText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** How long a signed resume URL is valid (document 2, section 9). */
export const signedUrlSeconds = 3_600;

type SigningDeps = Pick<Services, "sign" | "clock">;

/**
 * A URL that lets anyone who has it fetch a resume for an hour: "/files/resumes/<user id>/resume.pdf?expires=1790000000&signature=…".
 * With `isDownload` the browser saves the file; without, it may display a PDF.
 */
export function signedResumeUrl(signing: SigningDeps, { path }: { path: string }, isDownload: boolean): string {
  const expires = String(Math.floor(signing.clock() / 1_000) + signedUrlSeconds);
  const query = new URLSearchParams({ expires, signature: signatureOf(signing, { path, expires, isDownload }) });
  if (isDownload) query.set("download", "1");
  return `/files/${path}?${query.toString()}`;
}

/** "unsigned": the signature is missing or doesn't match the path and parameters; "expired": it is older than an hour. */
export function verifySignedUrl(
  signing: SigningDeps,
  path: string,
  query: URLSearchParams,
): "valid" | "unsigned" | "expired" {
  const [expires, actual, download] = ["expires", "signature", "download"].map((name) => query.getAll(name));
  if (expires?.length !== 1 || actual?.length !== 1 || !download || download.length > 1) return "unsigned";
  const isDownload = download.length === 1;
  if (isDownload && download[0] !== "1") return "unsigned";
  const expected = signatureOf(signing, { path, expires: expires[0] ?? "", isDownload });
  if (!isEqualText(actual[0] ?? "", expected)) return "unsigned";
  return signing.clock() < Number(expires[0]) * 1_000 ? "valid" : "expired";
}

type SignedRequest = { path: string; expires: string; isDownload: boolean };

function signatureOf({ sign }: SigningDeps, { path, expires, isDownload }: SignedRequest): string {
  return sign("resume address", `${path}\n${expires}\n${isDownload ? "download" : "view"}`);
}
