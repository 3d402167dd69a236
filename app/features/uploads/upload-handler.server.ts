import type { Context, Handler } from "hono";

import { removeAsset, storeAsset } from "./data.server.ts";
import type { StoreAssetResult } from "./data.server.ts";
import { readUploadQuery, receiveBody } from "./upload-request.server.ts";
import { messages, slotMessages } from "./messages.ts";
import type { ReceivedBody } from "./upload-request.server.ts";
import { maxUploadBytes, readSlot, refuse, uploadLimit } from "./rules.ts";
import type { Crop, Slot } from "./rules.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { reportWriteFailure } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

type UploadDeps = {
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

/**
 * `POST /uploads/avatar?name=me.jpg`: the body is the file itself, whatever its content type. It is streamed to the disk outside the router,
 * because the router holds bodies in memory.
 */
export function handleUpload(services: Services, deps: UploadDeps): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("state");
    if (!viewer) return respondWithMessage(c, 401, messages.signedOut);
    if (!slot) return respondWithMessage(c, 404, messages.unknownSlot);
    if (Number(c.req.header("content-length") ?? 0) > maxUploadBytes) return respondWithMessage(c, 413, tooLarge(slot));
    const query = readUploadQuery(new URL(c.req.url).searchParams);
    if (query === "unreadable") return respondWithMessage(c, 400, messages.crop);
    return reportFailure(c, { log, failed: slotMessages(slot).storeFailed }, async () => {
      const limited = await services.rateLimits.consume([{ limit: uploadLimit, subject: viewer.id }]);
      if (limited) {
        return respondWithMessage(c, 429, messages.tooOften);
      }
      const beyondPlan = await deps.findPlanRefusal(services, { ownerId: viewer.id, slot });
      if (beyondPlan) return respondWithMessage(c, 403, beyondPlan.message);
      const result = await receiveBody(services.files, c.req.raw.body, (file, received) =>
        storeUpload({ ...services, ...deps }, { slot, viewer, file, received, ...query }),
      );
      if (result.kind === "refused") return respondWithMessage(c, result.status, result.message);
      return c.json({ keyPrefix: result.keyPrefix, filename: result.filename, message: slotMessages(slot).stored });
    });
  };
}

/** `POST /uploads/banner/remove`, by script or by a plain form. */
export function handleRemoval(services: Services): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("state");
    if (!viewer) return respondWithMessage(c, 401, messages.signedOut);
    if (!slot) return respondWithMessage(c, 404, messages.unknownSlot);
    return reportFailure(c, { log, failed: slotMessages(slot).removeFailed }, async () => {
      const isRemoved = await removeAsset(services, { ownerId: viewer.id, slot });
      return isRemoved
        ? respondWithMessage(c, 200, slotMessages(slot).removed)
        : respondWithMessage(c, 404, messages.missingCard);
    });
  };
}

type ReceivedUpload = {
  slot: Slot;
  viewer: Viewer;
  file: string;
  received: ReceivedBody;
  filename: string;
  crop: Crop | undefined;
};

async function storeUpload(
  services: Services & UploadDeps,
  { slot, viewer, file, received, filename, crop }: ReceivedUpload,
): Promise<StoreAssetResult> {
  if (received.kind === "too-large") return refuse(413, tooLarge(slot));
  if (received.kind === "cut-off") return refuse(400, messages.cutOff);
  const { id, email, name } = viewer;
  await services.ensureProfile(services, { id, email, name, now: services.clock() });
  return storeAsset(services, { ownerId: id, slot, upload: { file }, filename, crop });
}

function tooLarge(slot: Slot): string {
  return slot === "resume" ? messages.resumeSize : messages.imageSize;
}

/** Logs an unexpected error and responds with the message of the action that failed. */
async function reportFailure(
  c: Context<AppEnv>,
  { log, failed }: { log: Services["log"]; failed: string },
  work: () => Promise<Response>,
) {
  try {
    return await work();
  } catch (error) {
    const { status, message } = reportWriteFailure(log, error, {
      event: "an uploaded file could not be stored or removed",
      diskFull: messages.diskFull,
      outcomeUnknown: messages.outcomeUnknown,
      unexpected: failed,
    });
    return respondWithMessage(c, status, message);
  }
}

type UploadStatus = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 507;

/** JSON for our script, and a redirect with a toast for a plain form. */
function respondWithMessage(c: Context<AppEnv>, status: UploadStatus, message: string): Response {
  if (!c.req.header("accept")?.includes("text/html")) return c.json({ message }, status);
  return redirectWithToast(pathBefore(c), { title: message, tone: status === 200 ? "success" : "error" });
}

/** The path of our page that contained the form. */
function pathBefore(c: Context<AppEnv>): string {
  const referer = URL.parse(c.req.header("referer") ?? "");
  const isOurs = referer?.host === c.req.header("host");
  return referer && isOurs && !referer.pathname.startsWith("//") ? referer.pathname : "/profile";
}
