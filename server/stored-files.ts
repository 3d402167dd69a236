import type { Context, Handler } from "hono";

import { findResume } from "#app/features/uploads/data.server.ts";
import { namelessResume } from "#app/features/uploads/file-name.ts";
import { checkSigned } from "#app/features/uploads/signed-address.server.ts";
import { publicTypeOf } from "#app/features/uploads/stored-types.ts";
import type { Services } from "#app/services/context.ts";
import { disposition } from "#app/services/file-name.ts";
import { isPath } from "#app/services/files-path.ts";

import type { AppEnv } from "./app.ts";
import { commonHeaders } from "./security.ts";

/**
 * `GET /files/…`: what people uploaded. Pictures are for everybody who has their address; a resume only by an address that we signed
 * within the hour. Nothing else in the store has an address.
 */
export function storedFiles(services: Services): Handler<AppEnv> {
  const common = commonHeaders(services.config);
  return async (c) => {
    const response = await answer(c, services);
    for (const [name, value] of common) response.headers.set(name, value);
    return response;
  };
}

async function answer(c: Context<AppEnv>, services: Services): Promise<Response> {
  const { pathname, searchParams } = new URL(c.req.url);
  // As it came: nothing is decoded, so nothing can hide in an encoding.
  const path = pathname.slice("/files/".length);
  if (!isPath(path)) return plain(c, 404, NOT_THERE);
  const type = publicTypeOf(path);
  if (type) return sendPicture(c, services, { path, type, hasVersion: searchParams.has("v") });
  const ownerId = RESUME.exec(path)?.[1];
  if (ownerId === undefined) return plain(c, 404, NOT_THERE);
  const signed = checkSigned(services, path, searchParams);
  if (signed === "valid") return sendResume(c, services, { path, ownerId, isDownload: searchParams.has("download") });
  return plain(c, 403, signed === "expired" ? EXPIRED : UNSIGNED);
}

const RESUME = /^resumes\/([A-Za-z0-9_-]+)\/resume\.[a-z]+$/;

const NOT_THERE = "There is no such file. It may have been replaced or removed by its owner.";
const EXPIRED =
  "This address was good for an hour, and the hour is over. Go back to the profile and open the file there.";
const UNSIGNED = "This address is not complete. Go back to the profile and open the file there.";

type Picture = { path: string; type: string; hasVersion: boolean };

async function sendPicture(c: Context<AppEnv>, { files }: Services, { path, type, hasVersion }: Picture) {
  const headers = {
    "content-type": type,
    // A path is never written twice: the address is what is in it.
    "cache-control": hasVersion ? "public, max-age=31536000, immutable" : "no-cache",
    etag: `"${path.slice(path.lastIndexOf("/") + 1)}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    ...COMMON,
  };
  const isKnown = c.req.header("if-none-match")?.includes(headers.etag) ?? false;
  const found = await files.open(path);
  if (!found) return plain(c, 404, NOT_THERE);
  if (!isKnown) return send(c, found, headers);
  await found.body.cancel();
  return new Response(null, { status: 304, headers });
}

type Asked = { path: string; ownerId: string; isDownload: boolean };

async function sendResume(c: Context<AppEnv>, { db, files }: Services, { path, ownerId, isDownload }: Asked) {
  const resume = await findResume(db, ownerId);
  const found = resume?.path === path ? await files.open(path) : undefined;
  if (!resume || !found) return plain(c, 404, NOT_THERE);
  // What a browser can show it may show; it opens Word documents in nothing that is a page.
  const isShown = resume.type === "application/pdf" && !isDownload;
  return send(c, found, {
    "content-type": resume.type,
    "content-disposition": disposition(isShown ? "inline" : "attachment", resume.filename, namelessResume),
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "content-security-policy": DOCUMENT_POLICY,
    ...COMMON,
  });
}

const COMMON = { "cross-origin-resource-policy": "same-site" };

const DOCUMENT_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

type Found = { size: number; body: ReadableStream<Uint8Array> };

async function send(c: Context<AppEnv>, { size, body }: Found, headers: Record<string, string>) {
  const all = { ...headers, "content-length": String(size) };
  if (c.req.method !== "HEAD") return new Response(body, { headers: all });
  await body.cancel();
  return new Response(null, { headers: all });
}

function plain(c: Context<AppEnv>, status: 403 | 404, text: string) {
  return c.text(text, status, { "cache-control": "no-store", ...COMMON });
}
