import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { tabOf } from "#app/features/links/rules.ts";
import { isShownAt, nextBoundary } from "#app/features/links/schedule.ts";
import { services } from "#app/services/context.ts";

import type { Plan } from "#app/features/billing/rules.ts";
import { findPublicProfile } from "./data.server.ts";
import type { Profile } from "./data.server.ts";
import type { PublicProfile } from "./profile-view.tsx";
import { shownTheme } from "./rules.ts";

/**
 * The profile behind `/u/{id}…` as visitors see it now, and until when (`endsAt`, epoch milliseconds). Throws the 404, or for a handle that was changed (or is written in capitals)
 * the redirect to where the profile is now, with the rest of the address kept.
 */
export async function loadPublicProfile(
  context: Readonly<RouterContextProvider>,
  { id, url }: { id: string; url: URL },
): Promise<{ profile: Profile; shown: PublicProfile; picture: string; endsAt: number | undefined }> {
  const { db, config, clock } = services(context);
  const found = await findPublicProfile(db, id);
  if (!found) throw data(null, { status: 404 });
  if (found.kind === "moved") {
    const rest = url.pathname.split("/").slice(3);
    throw redirect(`${["/u", found.to, ...rest].join("/")}${url.search}`, 301);
  }
  const { profile } = found;
  const now = clock();
  const plan = await findPlan(db, profile.userId, now);
  const shown = toShown(profile, { baseUrl: config.baseUrl, plan, now });
  return {
    profile,
    shown,
    picture: pictureUrl(profile, { baseUrl: config.baseUrl, plan }),
    endsAt: nextBoundary(profile.links, now),
  };
}

/**
 * The picture for whoever draws a preview of the address. What it shows is part of its own address, so that services which keep
 * pictures for weeks ask again after a save or an upload, and on another plan, which decides about the theme and our mark.
 */
function pictureUrl(
  { userId, version, avatarStem, bannerStem }: Profile,
  { baseUrl, plan }: { baseUrl: string; plan: Plan },
): string {
  const uploads = [avatarStem, bannerStem].map((stem) => Number(/_(\d+)$/.exec(stem ?? "")?.[1] ?? 0).toString(36));
  return `${baseUrl}/u/${userId}/preview.png?v=${[version, ...uploads, plan.id].join("-")}`;
}

/** What of a profile may leave the server for a visitor: no link that is off or not on at this time, no theme that the plan has not. */
function toShown(
  profile: Profile,
  { baseUrl, plan, now }: { baseUrl: string; plan: Plan; now: number },
): PublicProfile {
  const links = profile.links.filter((link) => isShownAt(link, now));
  return {
    id: profile.userId,
    displayName: profile.displayName,
    bio: profile.bio || null,
    theme: shownTheme(plan, profile.theme),
    links: links.map((link) => ({ id: link.id, label: link.label, url: link.url, tab: tabOf(link, plan) })),
    profileUrl: `${baseUrl}/u/${profile.handle || profile.userId}`,
    hasBranding: plan.hasBranding,
    isSample: profile.isSample,
    avatarStem: profile.avatarStem,
    bannerStem: profile.bannerStem,
    resumeFilename: profile.resumeFilename,
  };
}
