import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { directionOf } from "#app/ui/direction.ts";

import type { Profile } from "./data.server.ts";
import { shownName } from "./rules.ts";

/** The own profile with all that handing it over takes. A profile can always be opened. */
export function profileShare(profile: Profile, baseUrl: string): ShareSubject {
  const path = `/u/${profile.handle || profile.userId}`;
  const url = `${baseUrl}${path}`;
  const name = shownName(profile.displayName);
  return {
    kind: "profile",
    label: "Your profile",
    name,
    work: "",
    url,
    path,
    sharePath: "/share/profile",
    editPath: "/profile",
    hasPicture: profile.avatarStem !== null,
    signature: {
      name,
      work: [],
      rows: [],
      url: markedUrl(url, "signature"),
      linkText: url.replace(/^https?:\/\//, ""),
      picture: { src: `${url}/signature.png`, alt: "QR code of my profile", width: 96, height: 96 },
      isRightToLeft: directionOf(name) === "rtl",
    },
  };
}
