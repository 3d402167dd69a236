import { ensureProfile } from "#app/features/profile/data.server.ts";
import { storeAsset } from "#app/features/uploads/data.server.ts";
import { messages as uploadMessages, slotMessages } from "#app/features/uploads/messages.ts";
import { refuse, uploadLimit } from "#app/features/uploads/rules.ts";
import { createFairQueue } from "#app/services/base/fair-queue.ts";
import { requestId, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";
import type { Viewer } from "#app/services/auth/sessions.server.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { reportWriteFailure } from "#app/services/http/save-response.server.ts";
import { rasterizeTask } from "#app/services/images/rasterize-task.server.ts";

import type { Route } from "./+types/save-route.ts";
import { findAvatarOptions, readAvatarOptions } from "./data.server.ts";
import { drawAvatar } from "./drawing.ts";
import { messages } from "./messages.ts";
import { paperColor } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** The options of the current generated avatar, with which the studio starts; null without one. */
export async function loader({ context }: Route.LoaderArgs) {
  const owner = viewer(context);
  if (!owner) return respondWithMessage(401, uploadMessages.signedOut);
  const options = await findAvatarOptions(services(context).db, owner.id);
  return Response.json({ options: options ?? null }, { headers: { "cache-control": "no-store" } });
}

/** Draws the avatar described by `options` (JSON) and stores it. The server draws it: an image from the browser could be anything. */
export async function action({ context, request }: Route.ActionArgs) {
  const { log, rateLimits } = services(context);
  const owner = viewer(context);
  if (!owner) return respondWithMessage(401, uploadMessages.signedOut);
  const sent = (await readForm(request)).get("options");
  const options = typeof sent === "string" ? readAvatarOptions(sent) : undefined;
  if (!options) return respondWithMessage(422, messages.wrongOptions);
  const limited = await rateLimits.consume([{ limit: uploadLimit, subject: owner.id }]);
  if (limited) {
    logSecurityEvent(log, { event: "limit-reached", id: requestId(context), account: owner.id, limit: limited.limit });
    return respondWithMessage(429, uploadMessages.tooOften);
  }
  try {
    const stored = await storeAvatar(context, owner, options);
    if (stored.kind === "refused") return respondWithMessage(stored.status, stored.message);
    return Response.json({ keyPrefix: stored.keyPrefix, filename: "", message: slotMessages("avatar").stored });
  } catch (error) {
    const { status, message } = reportWriteFailure({ log, id: requestId(context) }, error, {
      event: "a generated avatar could not be stored",
      diskFull: uploadMessages.diskFull,
      outcomeUnknown: uploadMessages.outcomeUnknown,
      unexpected: slotMessages("avatar").storeFailed,
    });
    return respondWithMessage(status, message);
  }
}

async function storeAvatar(context: Route.ActionArgs["context"], owner: Viewer, options: AvatarOptions) {
  const { db, events, clock, workers } = services(context);
  // Initials are behind an avatar, and a JPEG has no transparency: transparent parts get the paper color.
  const { svg } = drawAvatar(options);
  const drawing = { svg, width: drawnWidth, background: `#${paperColor}` };
  const image = await drawQueue(owner.id, () => workers.run(rasterizeTask, drawing));
  if (image === "busy") return refuse(503, uploadMessages.busy);
  await ensureProfile({ db, events }, { id: owner.id, email: owner.email, now: clock() });
  return storeAsset(services(context), {
    ownerId: owner.id,
    slot: "avatar",
    upload: new Uint8Array(image),
    avatarOptions: JSON.stringify(options),
  });
}

/** An owner who saves many avatars at once delays only their own. */
const drawQueue = createFairQueue({ concurrency: 1, maxWaitMs: 45_000 });

/** Twice the largest width that is served. */
const drawnWidth = 768;

function respondWithMessage(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
