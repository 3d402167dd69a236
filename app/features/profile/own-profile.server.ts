import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { services, member } from "#app/services/context.ts";

import { ensureProfile } from "./data.server.ts";
import type { Profile } from "./data.server.ts";

/**
 * The profile of the person who asks, made at their first visit. Throws a 401 for a visitor; and the way to sign in, as for everybody
 * who is signed out, where the account was deleted while this request was under way.
 */
export async function loadOwnProfile(context: Readonly<RouterContextProvider>): Promise<Profile> {
  const owner = member(context);
  const { db, clock } = services(context);
  const profile = await ensureProfile(db, { ...owner, now: clock() });
  if (!profile) throw redirect("/auth");
  return profile;
}
