import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { services } from "#app/services/context.ts";

import type { Plan } from "#app/features/billing/rules.ts";
import { findPublicProfile } from "./data.server.ts";
import type { Profile } from "./data.server.ts";
import type { PublicProfile } from "./profile-view.tsx";
import { shownTheme } from "./rules.ts";

/**
 * The profile behind `/u/{id}…` as visitors see it. Throws the 404, or for a handle that was changed (or is written in capitals)
 * the redirect to where the profile is now, with the rest of the address kept.
 */
export async function loadPublicProfile(
  context: Readonly<RouterContextProvider>,
  { id, url }: { id: string; url: URL },
): Promise<{ profile: Profile; shown: PublicProfile }> {
  const { db, config, clock } = services(context);
  const found = await findPublicProfile(db, id);
  if (!found) throw data(null, { status: 404 });
  if (found.kind === "moved") {
    const rest = url.pathname.split("/").slice(3);
    throw redirect(`${["/u", found.to, ...rest].join("/")}${url.search}`, 301);
  }
  const { profile } = found;
  const plan = await findPlan(db, profile.userId, clock());
  return { profile, shown: toShown(profile, { baseUrl: config.baseUrl, plan }) };
}

/** What of a profile may leave the server for a visitor: no link that is switched off, no theme that the plan has not. */
function toShown(profile: Profile, { baseUrl, plan }: { baseUrl: string; plan: Plan }): PublicProfile {
  return {
    id: profile.userId,
    displayName: profile.displayName,
    bio: profile.bio || null,
    theme: shownTheme(plan, profile.theme),
    links: profile.links.filter((link) => link.on).map(({ id, label, url }) => ({ id, label, url })),
    profileUrl: `${baseUrl}/u/${profile.handle || profile.userId}`,
    hasBranding: plan.hasBranding,
    isSample: profile.isSample,
  };
}
