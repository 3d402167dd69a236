import { timingSafeEqual } from "node:crypto";

import type { Services } from "#app/services/context.ts";

/** How long the address of a resume is good for, in seconds (document 2, section 9). */
export const signedFor = 3_600;

type Signing = Pick<Services, "sign" | "clock">;

/**
 * Where a resume can be fetched for an hour, by whoever has the address: "/files/resumes/<user id>/resume.pdf?expires=1790000000&signature=…".
 * With `isDownload` it is saved under its name; else a browser shows a PDF.
 */
export function signedResumeUrl(signing: Signing, { path }: { path: string }, isDownload: boolean): string {
  const expires = String(Math.floor(signing.clock() / 1_000) + signedFor);
  const query = new URLSearchParams({ expires, signature: signatureOf(signing, { path, expires, isDownload }) });
  if (isDownload) query.set("download", "1");
  return `/files/${path}?${query.toString()}`;
}

/** What an address says of itself. "unsigned": nobody signed it, or it was changed since; "expired": its hour is over. */
export function checkSigned(signing: Signing, path: string, query: URLSearchParams): "valid" | "unsigned" | "expired" {
  const [expires, given, download] = ["expires", "signature", "download"].map((name) => query.getAll(name));
  if (expires?.length !== 1 || given?.length !== 1 || !download || download.length > 1) return "unsigned";
  const isDownload = download.length === 1;
  if (isDownload && download[0] !== "1") return "unsigned";
  const right = Buffer.from(signatureOf(signing, { path, expires: expires[0] ?? "", isDownload }));
  const signature = Buffer.from(given[0] ?? "");
  if (signature.length !== right.length || !timingSafeEqual(signature, right)) return "unsigned";
  return signing.clock() < Number(expires[0]) * 1_000 ? "valid" : "expired";
}

type Signed = { path: string; expires: string; isDownload: boolean };

function signatureOf({ sign }: Signing, { path, expires, isDownload }: Signed): string {
  return sign("resume address", `${path}\n${expires}\n${isDownload ? "download" : "view"}`);
}
