import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import { ensureProfile } from "./data.server.ts";
import type { Profile } from "./data.server.ts";
import { publicName } from "./rules.ts";

/**
 * The signed-in user's profile, created at their first visit. Throws a 401 for a visitor, and a redirect to the sign-in page when the
 * account was deleted during this request.
 */
export async function loadOwnProfile(context: Readonly<RouterContextProvider>): Promise<Profile> {
  const owner = requireUser(context);
  const { db, events, clock } = services(context);
  const profile = await ensureProfile({ db, events }, { ...owner, now: clock() });
  if (!profile) throw redirect("/auth");
  return profile;
}

/** What the share page needs of the owner's profile. */
export function profileShareSubject(profile: Profile, baseUrl: string): ShareSubject {
  const path = `/u/${profile.handle || profile.ownerId}`;
  const url = `${baseUrl}${path}`;
  const name = publicName(profile.displayName);
  return {
    kind: "profile",
    label: "Your profile",
    name,
    work: "",
    url,
    path,
    sharePath: "/share/profile",
    editPath: "/profile",
    hasAvatar: profile.avatarKey !== null,
    signature: {
      name,
      work: [],
      rows: [],
      url: markedUrl(url, "signature"),
      linkText: url.replace(/^https?:\/\//, ""),
      image: { src: `${url}/signature.png`, alt: "QR code of my profile", width: 96, height: 96 },
      isRightToLeft: textDirection(name) === "rtl",
    },
  };
}
