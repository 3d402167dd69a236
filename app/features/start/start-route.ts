import { redirect } from "react-router";

import { signedInPath } from "#app/services/auth/return-to.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/start-route.ts";
import { redirectAndClearDraftCard } from "./draft-card.server.ts";
import { findStart } from "./start-data.server.ts";

/** Redirects to the first step that isn't done, or to the profile when the owner has a card. A draft card stays for an owner who skipped a step. */
export async function loader({ context }: Route.LoaderArgs) {
  const { step, card } = await findStart(services(context).db, await loadOwnProfile(context));
  if (step !== "done") return redirect(`/start/${step}`);
  return card ? redirect(signedInPath) : redirectAndClearDraftCard(context, signedInPath);
}
