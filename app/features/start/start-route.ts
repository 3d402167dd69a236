import { redirect } from "react-router";

import { signedInPath } from "#app/features/account/return-to.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/start-route.ts";
import { redirectAndClearKeptCard } from "./kept-card.server.ts";
import { findStart } from "./start-data.server.ts";

/** Leads to the first step that isn't done, and to the profile of whoever has a card. */
export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  const { step } = await findStart(all.db, await loadOwnProfile(context));
  return step === "done" ? redirectAndClearKeptCard(all, signedInPath) : redirect(`/start/${step}`);
}
