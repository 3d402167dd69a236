import type { Context, Handler } from "hono";

import { removeAsset, storeAsset } from "#app/features/uploads/data.server.ts";
import type { StoreResult } from "#app/features/uploads/data.server.ts";
import { readUploadQuery } from "#app/features/uploads/form.ts";
import { messages, saidOf } from "#app/features/uploads/messages.ts";
import { receive } from "#app/features/uploads/receive.server.ts";
import type { Received } from "#app/features/uploads/receive.server.ts";
import { refuse } from "#app/features/uploads/refusal.ts";
import { maxUploadBytes, readSlot, uploadLimit } from "#app/features/uploads/rules.ts";
import type { Crop, Slot } from "#app/features/uploads/rules.ts";
import { ensureProfile } from "#app/features/profile/data.server.ts";
import type { Services, Viewer } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { AppEnv } from "./app.ts";

/**
 * `POST /uploads/avatar?name=me.jpg`: the body is the file itself, whatever its header calls it. It goes to the disk as it comes, and is
 * no part of the router: a form's body is held in memory, and may be two megabytes.
 */
export function upload(services: Services): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("facts");
    if (!viewer) return say(c, 401, messages.signedOut);
    if (!slot) return say(c, 404, messages.unknownSlot);
    if (Number(c.req.header("content-length") ?? 0) > maxUploadBytes) return say(c, 413, tooLarge(slot));
    const query = readUploadQuery(new URL(c.req.url).searchParams);
    if (query === "unreadable") return say(c, 400, messages.crop);
    return orSaySo(c, { log, failed: saidOf(slot).storeFailed }, async () => {
      if (await services.limits.take([{ limit: uploadLimit, of: viewer.id }])) return say(c, 429, messages.tooOften);
      const result = await receive(services.files, c.req.raw.body, (file, received) =>
        keep(services, { slot, viewer, file, received, ...query }),
      );
      if (result.kind === "refused") return say(c, result.status, result.message);
      return c.json({ stem: result.stem, filename: result.filename, message: saidOf(slot).stored });
    });
  };
}

/** `POST /uploads/banner/remove`, by script or by a plain form. */
export function removeUpload(services: Services): Handler<AppEnv> {
  const { log } = services;
  return async (c) => {
    const slot = readSlot(c.req.param("slot") ?? "");
    const { viewer } = c.get("facts");
    if (!viewer) return say(c, 401, messages.signedOut);
    if (!slot) return say(c, 404, messages.unknownSlot);
    return orSaySo(c, { log, failed: saidOf(slot).removeFailed }, async () => {
      const isRemoved = await removeAsset(services, { ownerId: viewer.id, slot });
      return isRemoved ? say(c, 200, saidOf(slot).removed) : say(c, 404, messages.missingCard);
    });
  };
}

type Arrived = {
  slot: Slot;
  viewer: Viewer;
  file: string;
  received: Received;
  filename: string;
  crop: Crop | undefined;
};

async function keep(
  services: Services,
  { slot, viewer, file, received, filename, crop }: Arrived,
): Promise<StoreResult> {
  if (received.kind === "too-large") return refuse(413, tooLarge(slot));
  if (received.kind === "cut-off") return refuse(400, messages.cutOff);
  const { id, email } = viewer;
  await ensureProfile(services.db, { id, email, now: services.clock() });
  return storeAsset(services, { ownerId: id, slot, upload: { file }, filename, crop });
}

function tooLarge(slot: Slot): string {
  return slot === "resume" ? messages.resumeSize : messages.pictureSize;
}

/** What broke is logged and told in the words of the thing that was tried, as the page that waits for them shows them. */
async function orSaySo(
  c: Context<AppEnv>,
  { log, failed }: { log: Services["log"]; failed: string },
  work: () => Promise<Response>,
) {
  try {
    return await work();
  } catch (error) {
    log.error({ err: error, id: c.get("facts").id }, "an uploaded file could not be stored or removed");
    return isDiskFull(error) ? say(c, 503, messages.diskFull) : say(c, 500, failed);
  }
}

type Status = 200 | 400 | 401 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 507;

/** JSON for our script; a browser that sent a form goes back to where it was. */
function say(c: Context<AppEnv>, status: Status, message: string): Response {
  if (!c.req.header("accept")?.includes("text/html")) return c.json({ message }, status);
  return redirectWithToast(pathBefore(c), { title: message, tone: status === 200 ? "success" : "error" });
}

/** The page of ours that the form was on. */
function pathBefore(c: Context<AppEnv>): string {
  const referer = URL.parse(c.req.header("referer") ?? "");
  const isOurs = referer?.host === c.req.header("host");
  return referer && isOurs && !referer.pathname.startsWith("//") ? referer.pathname : "/profile";
}
