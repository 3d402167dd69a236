import type { Context, Handler, Next } from "hono";

import { canDisplayResume, findResume } from "./data.server.ts";
import { defaultResumeName } from "#app/features/uploads/formats/prepare-document.server.ts";
import { verifySignedUrl } from "#app/features/uploads/storage/signed-url.server.ts";
import { publicContentType } from "./image-urls.ts";
import { fileMessages } from "./messages.ts";
import { resumeOwner } from "./rules.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";
import { isStorePath } from "#app/services/storage/file-store.ts";

/**
 * `GET /files/…`: uploaded files. Images are public; a resume needs a URL that we signed within the last hour. Nothing else in the store
 * is served. A browser that opens a file we don't serve gets a page (file-page.tsx), everything else a short text.
 */
export function serveStoredFile(services: Services): Handler<AppEnv> {
  return async (c, next: Next) => {
    const response = await respond(c, services);
    if (response.ok || response.status === 304 || !isNavigation(c.req.header("accept"))) return response;
    return next();
  };
}

function isNavigation(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}

async function respond(c: Context<AppEnv>, services: Services): Promise<Response> {
  const { pathname, searchParams } = new URL(c.req.url);
  // The raw path: without decoding, no encoded characters can get past the checks.
  const path = pathname.slice("/files/".length);
  if (!isStorePath(path)) return textResponse(c, 404, fileMessages.missing);
  const type = publicContentType(path);
  if (type) return sendImage(c, services, { path, type, hasVersion: searchParams.has("v") });
  const ownerId = resumeOwner(path);
  if (ownerId === undefined) return textResponse(c, 404, fileMessages.missing);
  const signed = verifySignedUrl(services, path, searchParams);
  if (signed === "valid") return sendResume(c, services, { path, ownerId, isDownload: searchParams.has("download") });
  return textResponse(c, 403, signed === "expired" ? fileMessages.expired : fileMessages.unsigned);
}

type ImageRequest = { path: string; type: string; hasVersion: boolean };

/** A public image, or a 404. */
export async function sendImage(c: Context<AppEnv>, { files }: Services, { path, type, hasVersion }: ImageRequest) {
  const headers = {
    "content-type": type,
    // A path is never written twice, so the file name identifies the content.
    "cache-control": hasVersion ? "public, max-age=31536000, immutable" : "no-cache",
    etag: `"${path.slice(path.lastIndexOf("/") + 1)}"`,
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    ...sharedHeaders,
  };
  const isKnown = c.req.header("if-none-match")?.includes(headers.etag) ?? false;
  const found = await files.open(path);
  if (!found) return textResponse(c, 404, fileMessages.missing);
  if (!isKnown) return send(c, found, headers);
  await found.body.cancel();
  return new Response(null, { status: 304, headers });
}

type ResumeRequest = { path: string; ownerId: string; isDownload: boolean };

/** The resume of an owner who isn't blocked, or a 404. The caller has checked that the visitor may read it. */
export async function sendResume(
  c: Context<AppEnv>,
  { db, files }: Services,
  { path, ownerId, isDownload }: ResumeRequest,
) {
  const resume = (await isBlocked(db, ownerId)) ? undefined : await findResume(db, ownerId);
  const found = resume?.path === path ? await files.open(path) : undefined;
  if (!resume || !found) return textResponse(c, 404, fileMessages.missing);
  // The file may have been overwritten between reading the row and opening it.
  const current = isDownload ? undefined : await findResume(db, ownerId);
  // A PDF with active content, and every Word document, is only ever saved.
  const isInline = current?.assetId === resume.assetId && (await canDisplayResume({ db, files }, current));
  return send(c, found, {
    "content-type": resume.type,
    "content-disposition": contentDisposition(isInline ? "inline" : "attachment", resume.filename, defaultResumeName),
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "content-security-policy": documentPolicy,
    ...sharedHeaders,
  });
}

const sharedHeaders = { "cross-origin-resource-policy": "same-site" };

const documentPolicy =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

type OpenedFile = { size: number; body: ReadableStream<Uint8Array> };

async function send(c: Context<AppEnv>, { size, body }: OpenedFile, headers: Record<string, string>) {
  const all = { ...headers, "content-length": String(size) };
  if (c.req.method !== "HEAD") return new Response(body, { headers: all });
  await body.cancel();
  return new Response(null, { headers: all });
}

function textResponse(c: Context<AppEnv>, status: 403 | 404, text: string) {
  return c.text(text, status, { "cache-control": "no-store", ...sharedHeaders });
}
