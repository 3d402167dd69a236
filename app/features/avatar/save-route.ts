import { ensureProfile } from "#app/features/profile/data.server.ts";
import { serverMessages, slotMessages, uploadFailures } from "#app/features/uploads/messages.ts";
import { uploadLimit } from "#app/features/uploads/rules.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

import type { Route } from "./+types/save-route.ts";
import { storeAvatar } from "./avatar-image.server.ts";
import { findAvatarOptions, readAvatarOptions } from "./data.server.ts";
import { messages } from "./messages.ts";

/** The options of the current generated avatar, with which the studio starts; null without one. */
export async function loader({ context }: Route.LoaderArgs) {
  const owner = viewer(context);
  if (!owner) return respondWithMessage(401, serverMessages.signedOut);
  const options = await findAvatarOptions(services(context).db, owner.id);
  return Response.json({ options: options ?? null }, { headers: { "cache-control": "no-store" } });
}

/** Draws the avatar described by `options` (JSON) and stores it. The server draws it: an image from the browser could be anything. */
export async function action({ context, request }: Route.ActionArgs) {
  const { log, rateLimits } = services(context);
  const owner = viewer(context);
  if (!owner) return respondWithMessage(401, serverMessages.signedOut);
  const sent = (await readForm(request)).get("options");
  const options = typeof sent === "string" ? readAvatarOptions(sent) : undefined;
  if (!options) return respondWithMessage(422, messages.wrongOptions);
  const limited = await rateLimits.consume([{ limit: uploadLimit, subject: owner.id }]);
  if (limited) {
    return respondWithMessage(429, serverMessages.tooOften);
  }
  const store = async () => {
    const { db, events, clock } = services(context);
    await ensureProfile({ db, events }, { id: owner.id, email: owner.email, now: clock() });
    const stored = await storeAvatar(services(context), { ownerId: owner.id, options });
    if (stored.kind === "refused") return respondWithMessage(stored.status, stored.message);
    return Response.json({ keyPrefix: stored.keyPrefix, filename: "", message: slotMessages("avatar").stored });
  };
  return tryWrite(log, store, {
    event: "a generated avatar could not be stored",
    ...uploadFailures,
    unexpected: slotMessages("avatar").storeFailed,
    refuse: (message, status) => respondWithMessage(status, message),
  });
}

function respondWithMessage(status: number, message: string): Response {
  return Response.json({ message }, { status });
}
