import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { subscriptionStatus } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { dialedUrl } from "#app/features/links/phone-url.ts";
import type { LinkCampaign, LinkKind } from "#app/features/links/rules.ts";
import { isShownAt, nextBoundary } from "#app/features/links/schedule.ts";
import { linkTab } from "#app/features/links/tab-rules.ts";
import type { ProfileTab } from "#app/features/links/tab-rules.ts";
import { services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

import { findPublicProfile } from "./data.server.ts";
import type { Profile } from "./data.server.ts";
import { findContactCard } from "./public/contact-card.server.ts";
import { publicTheme } from "./rules.ts";

/** A profile as visitors see it. */
export type PublicProfile = {
  id: string;
  displayName: string;
  bio: string | null;
  theme: string;
  /** The links that are visible now, in the owner's order. */
  links: readonly PublicProfileLink[];
  /** The full public URL, without a source mark. */
  profileUrl: string;
  hasBranding: boolean;
  /** Storage key prefixes of the images, or null. */
  avatarKey: string | null;
  bannerKey: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** True for the sample profile, which belongs to no one. */
  isSample?: boolean;
};

/** A heading's `tab` has no meaning: it is on the tab of the links below it. */
export type PublicProfileLink = {
  id: string;
  kind: LinkKind;
  label: string;
  url: string;
  /** Of a tel: or sms: link: what phones dial. */
  href?: string | undefined;
  tab: ProfileTab;
  /** Of a featured link: the storage key prefix and the alternative text of its image. */
  picture?: string | undefined;
  alt?: string | undefined;
  campaign?: LinkCampaign;
};

/**
 * The profile at `/u/{id}…` as visitors see it now, and until when (`endsAt`, epoch milliseconds). Throws a 404; for a former handle, or
 * one in capitals, a redirect to the current path with the rest of the URL unchanged.
 */
export async function loadPublicProfile(
  context: Readonly<RouterContextProvider>,
  { id, url }: { id: string; url: URL },
): Promise<VisibleProfile> {
  const found = await findVisibleProfile(services(context), id);
  if (!found) throw data(null, { status: 404 });
  if ("to" in found) {
    const rest = url.pathname.split("/").slice(3);
    throw redirect(`${["/u", found.to, ...rest].join("/")}${url.search}`, 301);
  }
  return found;
}

type VisibleProfile = {
  profile: Profile;
  publicProfile: PublicProfile;
  previewImage: string;
  /** The card that visitors open and save. */
  contactCard: { id: string; code: string; hasForm: boolean } | undefined;
  endsAt: number | undefined;
};

/** The same outside a request for a page: undefined for an unknown one, and for a former handle `to`, the current path segment. */
export async function findVisibleProfile(
  { db, config, clock }: Pick<Services, "db" | "config" | "clock">,
  idOrHandle: string,
): Promise<VisibleProfile | { to: string } | undefined> {
  const found = await findPublicProfile(db, idOrHandle);
  if (found?.kind !== "found") return found;
  const { profile, subscription, contactCards } = found;
  const now = clock();
  const { plan, endsAt: planEndsAt } = subscriptionStatus(subscription, { now, premium: config.premium });
  const publicProfile = toPublicProfile(profile, { baseUrl: config.baseUrl, plan, now });
  return {
    profile,
    publicProfile,
    previewImage: previewImageUrl(profile, { baseUrl: config.baseUrl, plan }),
    contactCard: findContactCard(plan, contactCards),
    endsAt: earliest(nextBoundary(profile.links, now), planEndsAt ?? undefined),
  };
}

/** The earliest of these times; undefined if there is none. */
function earliest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/**
 * The image for link previews. Its URL changes with its content: after a save, an upload or a change of plan (theme, branding), services
 * that cache images for weeks download it again.
 */
function previewImageUrl(
  { ownerId, version, avatarKey, bannerKey }: Profile,
  { baseUrl, plan }: { baseUrl: string; plan: Plan },
): string {
  const uploads = [avatarKey, bannerKey].map((key) => Number(/_(\d+)$/.exec(key ?? "")?.[1] ?? 0).toString(36));
  return `${baseUrl}/u/${ownerId}/preview.png?v=${[version, ...uploads, plan.id].join("-")}`;
}

/** Leaves out what visitors must not receive: links that are off or not scheduled now, and a theme that the plan lacks. */
function toPublicProfile(
  profile: Profile,
  { baseUrl, plan, now }: { baseUrl: string; plan: Plan; now: number },
): PublicProfile {
  const links = profile.links.filter((link) => isShownAt(link, now));
  return {
    id: profile.ownerId,
    displayName: profile.displayName,
    bio: profile.bio || null,
    theme: publicTheme(plan, profile.theme),
    links: links.map((link) => {
      const { id, kind, label, url, picture, alt, utmSource, utmMedium, utmCampaign } = link;
      const campaign = { utmSource, utmMedium, utmCampaign };
      return { id, kind, label, url, href: dialedUrl(url), picture, alt, campaign, tab: linkTab(link, plan) };
    }),
    profileUrl: `${baseUrl}/u/${profile.handle || profile.ownerId}`,
    hasBranding: plan.hasBranding,
    isSample: profile.isSample,
    avatarKey: profile.avatarKey,
    bannerKey: profile.bannerKey,
    resumeFilename: profile.resumeFilename,
  };
}
