import { ensureProfile } from "#app/features/profile/data.server.ts";
import { storeAsset } from "#app/features/uploads/data.server.ts";
import { messages as uploadMessages, saidOf } from "#app/features/uploads/messages.ts";
import { uploadLimit } from "#app/features/uploads/rules.ts";
import { requestFacts, services, viewer } from "#app/services/context.ts";
import type { Viewer } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { readForm } from "#app/services/form-body.ts";
import { rasterise } from "#app/services/rasterise.server.ts";

import type { Route } from "./+types/save-route.ts";
import { findAvatarOptions, readAvatarOptions } from "./data.server.ts";
import { drawAvatar } from "./drawing.ts";
import { messages } from "./messages.ts";
import { paper } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** What the studio starts with: what the avatar was drawn from last, or null. */
export async function loader({ context }: Route.LoaderArgs) {
  const owner = viewer(context);
  if (!owner) return say(401, uploadMessages.signedOut);
  const options = await findAvatarOptions(services(context).db, owner.id);
  return Response.json({ options: options ?? null }, { headers: { "cache-control": "no-store" } });
}

/** Makes the face of `options` (JSON) the avatar. It is drawn here: a picture is never taken from a browser's word. */
export async function action({ context, request }: Route.ActionArgs) {
  const { log, limits } = services(context);
  const owner = viewer(context);
  if (!owner) return say(401, uploadMessages.signedOut);
  const sent = (await readForm(request)).get("options");
  const options = typeof sent === "string" ? readAvatarOptions(sent) : undefined;
  if (!options) return say(422, messages.wrongOptions);
  if (await limits.take([{ limit: uploadLimit, of: owner.id }])) return say(429, uploadMessages.tooOften);
  try {
    const stored = await store(context, owner, options);
    if (stored.kind === "refused") return say(stored.status, stored.message);
    return Response.json({ stem: stored.stem, filename: "", message: saidOf("avatar").stored });
  } catch (error) {
    log.error({ err: error, id: context.get(requestFacts).id }, "a drawn avatar could not be stored");
    return isDiskFull(error) ? say(503, uploadMessages.diskFull) : say(500, saidOf("avatar").storeFailed);
  }
}

async function store(context: Route.ActionArgs["context"], owner: Viewer, options: AvatarOptions) {
  const { db, clock } = services(context);
  // Behind a picture stand the initials, and a JPEG knows no transparency: what lets through is paper.
  const picture = await rasterise(drawAvatar(options).svg, { width: pictureWidth, background: `#${paper}` });
  await ensureProfile(db, { id: owner.id, email: owner.email, now: clock() });
  return storeAsset(services(context), {
    ownerId: owner.id,
    slot: "avatar",
    upload: new Uint8Array(picture),
    avatarOptions: JSON.stringify(options),
  });
}

/** Twice what is served at most. */
const pictureWidth = 768;

function say(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
