import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import type { ProfileGap } from "#app/features/shell/frame/call-to-action-banner.tsx";
import type { SignatureImage } from "#app/features/sharing/share-subject.ts";
import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { avatarVariants, fileUrl } from "#app/features/uploads/image-urls.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { requireUser, services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import { createProfile, ensureProfile, findProfile, saveProfileDetails } from "./data.server.ts";
import type { Profile } from "./data.server.ts";
import { messages } from "./messages.ts";
import { isNameCleared, maxTyped, publicName } from "./rules.ts";
import { displayName } from "./schema.ts";

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

/** Creates the profile of an account that signs in for the first time: the header links to its page at once. */
export async function createFirstProfile(
  trx: Trx,
  events: Services["events"],
  { ownerId, now }: { ownerId: string; now: number },
): Promise<void> {
  const existing = await trx
    .selectFrom("profile")
    .select("owner_id")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const user = !existing && (await lockUser(trx, ownerId)) && (await findAddress(trx, ownerId));
  if (user) await createProfile(trx, events, { ...user, id: ownerId, now });
}

/** What the signed-in user's profile lacks, for the banner; undefined without a profile, and when it can't be read. */
export async function findProfileGaps(context: Readonly<RouterContextProvider>): Promise<ProfileGap[] | undefined> {
  const owner = viewer(context);
  const { db, log } = services(context);
  try {
    const profile = owner && (await findProfile(db, owner.id));
    if (!profile) return undefined;
    return [
      ...(profile.links.some(({ on }) => on) ? [] : (["links"] as const)),
      ...(profile.avatarKey === null ? (["photo"] as const) : []),
    ];
  } catch (error) {
    log.error({ err: error }, "could not read the profile; the banner does not say what is missing");
    return undefined;
  }
}

/** The name of the signed-in user's profile, for a form that saves it together with another record. */
export function ownProfileName(context: Readonly<RouterContextProvider>) {
  const ownerId = viewer(context)?.id ?? "";
  const { events, clock } = services(context);
  return {
    ensure: () => loadOwnProfile(context),
    checkName: async (typed: string): Promise<{ name: string } | { error: string }> => {
      const checked = typed.length > maxTyped ? undefined : displayName.safeParse(typed);
      if (!checked?.success) return { error: messages.nameTooLong };
      const stored = (await loadOwnProfile(context)).displayName;
      return isNameCleared(checked.data, stored) ? { error: messages.nameRequired } : { name: checked.data };
    },
    readName: async (trx: Trx) => (await findProfile(trx, ownerId))?.displayName ?? "",
    writeName: (trx: Trx, name: string) =>
      saveProfileDetails(trx, events, { ownerId, displayName: name, now: clock() }),
  };
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
    shareText: name,
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
      code: { src: `${url}/signature.png`, alt: "QR code for my profile", width: 96, height: 96 },
      photo: signaturePhoto(profile.avatarKey, { name, baseUrl }),
      accent: "#8a8a8a",
      isRightToLeft: textDirection(name) === "rtl",
    },
  };
}

/** The avatar in an email signature, as the JPEG that every mail program shows. */
export function signaturePhoto(
  avatarKey: string | null,
  { name, baseUrl }: { name: string; baseUrl: string },
): SignatureImage | undefined {
  if (avatarKey === null) return undefined;
  return { src: baseUrl + fileUrl(avatarKey, avatarVariants.jpeg), alt: name, width: 88, height: 88 };
}
