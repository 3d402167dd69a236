import { findPlan } from "#app/features/billing/data.server.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { avatarUrls, bannerUrls } from "#app/features/uploads/image-urls.ts";
import type { Services } from "#app/services/http/context.ts";

import type { Table } from "./change-rules.ts";

export type RowAddress = { ownerId: string; table: Table; id: string };

/** A row with the columns of the specification; undefined when the owner has no such row. */
export async function readRow(
  services: Services,
  { ownerId, table, id }: RowAddress,
): Promise<Record<string, unknown> | undefined> {
  return table === "profiles" ? readProfile(services, ownerId) : readCard(services, { ownerId, id });
}

async function readProfile(services: Services, ownerId: string) {
  const profile = await findProfile(services.db, ownerId);
  if (!profile) return undefined;
  const { baseUrl } = services.config;
  const avatar = avatarUrls(profile.avatarKey)?.large;
  const banner = bannerUrls(profile.bannerKey)?.large;
  return {
    id: ownerId,
    user_id: ownerId,
    display_name: profile.displayName,
    bio: profile.bio || null,
    avatar_url: avatar === undefined ? null : baseUrl + avatar,
    banner_url: banner === undefined ? null : baseUrl + banner,
    links: profile.links.map(({ label, url }) => ({ label, url })),
    resume_filename: profile.resumeFilename || null,
    theme: profile.theme,
    show_business_card: profile.showBusinessCard,
    subscription_tier: (await findPlan(services, ownerId)).id,
  };
}

async function readCard({ db }: Services, own: { ownerId: string; id: string }) {
  const card = await findOwnCard(db, own);
  return (
    card && {
      id: card.id,
      user_id: card.ownerId,
      card_name: card.cardName,
      profession: card.profession || null,
      company: card.company || null,
      position: card.position || null,
      email: card.email || null,
      phone: card.phone || null,
      years_experience: card.yearsExperience,
      professional_links: card.links.map(({ name, url }) => ({ name, url })),
      is_public: card.isPublic,
      created_at: new Date(card.createdAt).toISOString(),
    }
  );
}
