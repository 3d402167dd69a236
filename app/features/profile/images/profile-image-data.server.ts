import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import type { BusinessCardText } from "#app/features/drawing/business-card-svg.server.ts";
import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import { services } from "#app/services/http/context.ts";

/** The owner's profile as a business card to draw, with the bio in the place of the job. Throws a 401 for a visitor. */
export async function loadProfileImageData(context: Readonly<RouterContextProvider>) {
  const profile = await loadOwnProfile(context);
  const all = services(context);
  const { config, files } = all;
  const profileUrl = `${config.baseUrl}/u/${profile.handle || profile.ownerId}`;
  const address = profileUrl.replace(/^https?:\/\//, "");
  const { avatarKey, ownerId } = profile;
  const { hasBranding } = await findPlan(all, ownerId);
  const name = publicName(profile.displayName);
  const { handle, bio } = profile;
  const card: BusinessCardText = { name, handle, company: "", position: "", work: bio, email: address, phone: "" };
  return {
    ownerId,
    profileUrl,
    address,
    card,
    avatarKey,
    avatar: async () => (avatarKey ? files.read(avatarKey + avatarVariants.jpeg) : undefined),
    hasBranding,
  };
}
