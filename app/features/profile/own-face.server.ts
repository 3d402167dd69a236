import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import type { CardFace } from "#app/features/sharing/paper-picture.server.ts";
import { avatarForms } from "#app/features/uploads/addresses.ts";
import { services } from "#app/services/context.ts";

import { loadOwnProfile } from "./own-profile.server.ts";
import { shownName } from "./rules.ts";

type Context = Readonly<RouterContextProvider>;

/** The own profile as a card to be drawn: the name, the bio where the work stands, the address. 401 for a visitor. */
export async function loadOwnFace(context: Context) {
  const profile = await loadOwnProfile(context);
  const { db, config, clock, files } = services(context);
  const profileUrl = `${config.baseUrl}/u/${profile.handle || profile.userId}`;
  const address = profileUrl.replace(/^https?:\/\//, "");
  const { avatarStem, userId } = profile;
  const { hasBranding } = await findPlan(db, userId, clock());
  const name = shownName(profile.displayName);
  const face: CardFace = { name, company: "", position: "", work: profile.bio, email: address, phone: "" };
  return {
    ownerId: userId,
    profileUrl,
    address,
    face,
    avatarStem,
    avatar: async () => (avatarStem ? files.read(avatarStem + avatarForms.jpeg) : undefined),
    hasBranding,
  };
}
