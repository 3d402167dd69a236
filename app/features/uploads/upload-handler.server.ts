import { readFile, writeFile } from "node:fs/promises";

import type { Context, Handler } from "hono";
import { z } from "zod";

import { removeAsset, storeAsset } from "./data.server.ts";
import type { StoreAssetRequest, StoreAssetResult } from "./data.server.ts";
import { messages, serverMessages, slotMessages, uploadFailures } from "./messages.ts";
import { maxUploadBytes, readSlot, refuse, uploadLimit } from "./rules.ts";
import type { Crop, RefusalStatus, Slot } from "./rules.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { findFilePart } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { receiveBody } from "#app/services/storage/receive-body.server.ts";

export type UploadDeps = {
  /** Creates the profile that a first upload belongs to. An argument, because the profile feature uses this one. */
  ensureProfile(
    services: Pick<Services, "db" | "events">,
    owner: { id: string; email: string; name: string; now: number },
  ): Promise<unknown>;
  /** Why an owner's plan doesn't include files in a slot; undefined when it does. */
  findPlanRefusal(
    services: Services,
    request: { ownerId: string; slot: Slot },
  ): Promise<{ message: string } | undefined>;
};

type Upload = Pick<StoreAssetRequest, "slot" | "filename" | "pathName" | "crop" | "version"> & {
  owner: { id: string; email: string; name: string };
  /** Receives the file, calls `work` with its path and, if it was sent with one, its name, and then deletes it. */
  receive: (work: (file: string, filename?: string) => Promise<StoreAssetResult>) => Promise<StoreAssetResult>;
};

/** Receives and stores a file, or refuses it: before it is received if the limit of uploads is reached or the plan doesn't include it. */
export async function acceptUpload(
  services: Services,
  { ensureProfile, findPlanRefusal }: UploadDeps,
  { owner, receive, ...upload }: Upload,
): Promise<StoreAssetResult> {
  const { id, email, name } = owner;
  const limited = await services.rateLimits.consume([{ limit: uploadLimit, subject: id }]);
  if (limited) return { ...refuse(429, serverMessages.tooOften), until: limited.until };
  const beyondPlan = await findPlanRefusal(services, { ownerId: id, slot: upload.slot });
  if (beyondPlan) return refuse(403, beyondPlan.message);
  return receive(async (file, filename = upload.filename) => {
    await ensureProfile(services, { id, email, name, now: services.clock() });
    return storeAsset(services, { ownerId: id, upload: { file }, ...upload, filename });
  });
}

/**
 * `POST /uploads/avatar?name=me.jpg`: the body is the file itself, whatever its content type. It is streamed to the disk outside the router,
 * because the router holds bodies in memory.
 */
export function handleUpload(services: Services, deps: UploadDeps): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("state");
    if (!viewer) return respondWithMessage(c, 401, serverMessages.signedOut);
    if (!slot) return respondWithMessage(c, 404, serverMessages.unknownSlot);
    if (Number(c.req.header("content-length") ?? 0) > maxUploadBytes) return respondWithMessage(c, 413, tooLarge(slot));
    const query = readUploadQuery(new URL(c.req.url).searchParams);
    if (query === "unreadable") return respondWithMessage(c, 400, serverMessages.crop);
    return tryStore(c, { log, unexpected: slotMessages(slot).storeFailed }, async () => {
      const result = await acceptUpload(services, deps, {
        owner: viewer,
        slot,
        ...query,
        receive: receiveFile(services, { slot, request: c.req.raw }),
      });
      if (result.kind === "refused") return respondWithMessage(c, result.status, result.message);
      return c.json({ keyPrefix: result.keyPrefix, filename: result.filename, message: slotMessages(slot).stored });
    });
  };
}

type SentFile = { slot: Slot; request: Pick<Request, "body">; formType?: string | undefined };

/** Receives a file that is the whole body or, with the content type of a form, the first file in it. Refuses one that is too large or cut off. */
export function receiveFile(
  { files }: Pick<Services, "files">,
  { slot, request, formType }: SentFile,
): Upload["receive"] {
  const maxBytes = formType === undefined ? maxUploadBytes : maxUploadBytes + formOverhead;
  return (work) =>
    receiveBody({ files, request, maxBytes }, async (file, { kind }) => {
      if (kind === "too-large") return refuse(413, tooLarge(slot));
      if (kind === "cut-off") return refuse(400, serverMessages.cutOff);
      if (formType === undefined) return work(file);
      const part = findFilePart(await readFile(file), formType);
      if (!part) return refuse(400, serverMessages.cutOff);
      if (part.bytes.length > maxUploadBytes) return refuse(413, tooLarge(slot));
      await writeFile(file, part.bytes);
      return work(file, part.filename);
    });
}

/** For the headers and small fields of a form around its file. */
const formOverhead = 20_000;

/** `POST /uploads/banner/remove`, by script or by a plain form. */
export function handleRemoval(services: Services): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("state");
    if (!viewer) return respondWithMessage(c, 401, serverMessages.signedOut);
    if (!slot) return respondWithMessage(c, 404, serverMessages.unknownSlot);
    return tryStore(c, { log, unexpected: slotMessages(slot).removeFailed }, async () => {
      const result = await removeAsset(services, { ownerId: viewer.id, slot });
      return result.kind === "removed"
        ? respondWithMessage(c, 200, slotMessages(slot).removed)
        : respondWithMessage(c, result.status, result.message);
    });
  };
}

const fraction = z.coerce.number().min(0).max(1);
const cropForm = z.object({ x: fraction, y: fraction, size: fraction.gt(0) });

/** The query of an upload: "?name=me.jpg&x=0.1&y=0&size=0.8". "unreadable": an incomplete or impossible crop. */
function readUploadQuery(query: URLSearchParams): { filename: string; crop: Crop | undefined } | "unreadable" {
  const filename = (query.get("name") ?? "").slice(0, 1_000);
  const given = ["x", "y", "size"].filter((name) => query.has(name));
  if (given.length === 0) return { filename, crop: undefined };
  // Number("") is 0, but an empty value is not a number.
  if (given.some((name) => query.get(name)?.trim() === "")) return "unreadable";
  const crop = cropForm.safeParse(Object.fromEntries(query));
  return crop.success ? { filename, crop: crop.data } : "unreadable";
}

function tooLarge(slot: Slot): string {
  return slot === "resume" ? messages.resumeSize : messages.imageSize;
}

/** Responds with the message of the action when it fails. */
function tryStore(
  c: Context<AppEnv>,
  { log, unexpected }: { log: Services["log"]; unexpected: string },
  work: () => Promise<Response>,
) {
  const failure = { event: "an uploaded file could not be stored or removed", ...uploadFailures, unexpected };
  return tryWrite(log, work, { ...failure, refuse: (message, status) => respondWithMessage(c, status, message) });
}

/** JSON for our script, and a redirect with a toast for a plain form. */
function respondWithMessage(c: Context<AppEnv>, status: RefusalStatus | 200 | 500, message: string): Response {
  if (!c.req.header("accept")?.includes("text/html")) return c.json({ message }, status);
  return redirectWithToast(pathBefore(c), { title: message, tone: status === 200 ? "success" : "error" });
}

/** The path of our page that contained the form. */
function pathBefore(c: Context<AppEnv>): string {
  const referer = URL.parse(c.req.header("referer") ?? "");
  const isOurs = referer?.host === c.req.header("host");
  return referer && isOurs && !referer.pathname.startsWith("//") ? referer.pathname : "/profile";
}
