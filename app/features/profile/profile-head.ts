import type { MetaDescriptor } from "react-router";

import { avatarPicture } from "#app/features/uploads/pictures.ts";
import { sealIcon } from "#app/ui/seal.tsx";

import type { PublicProfile } from "./profile-view.tsx";
import { shownName } from "./rules.ts";
import { themeOf } from "./themes.ts";

/** What the head of a public profile says to browsers, search engines and whoever draws a preview of the address. */
export function profileHead({ profile, picture, isListed }: Head): MetaDescriptor[] {
  const { profileUrl, theme } = profile;
  const name = shownName(profile.displayName);
  const description = oneLineBio(profile) ?? `Links and contact details of ${name}`;
  const { colors, dark } = themeOf(theme);
  return [
    { title: `${name} | Professional Profile` },
    { name: "theme-color", content: colors.ground, ...(dark && { media: "(prefers-color-scheme:light)" }) },
    ...(dark ? [{ name: "theme-color", content: dark.ground, media: "(prefers-color-scheme:dark)" }] : []),
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: profileUrl },
    { tagName: "link", rel: "icon", href: sealIcon },
    { property: "og:title", content: name },
    { property: "og:description", content: description },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: profileUrl },
    { property: "og:image", content: picture },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
    // Nobody is to list it: then nobody needs to be told what it says.
    isListed ? { "script:ld+json": profilePage(profile) } : { name: "robots", content: "noindex" },
  ];
}

type Head = {
  profile: PublicProfile;
  /** The whole address of the picture, 1200 x 630 pixels, that stands for the page. */
  picture: string;
  isListed: boolean;
};

/** schema.org's ProfilePage, for search engines. React Router writes it so that no text can end the script element it stands in. */
export function profilePage(profile: PublicProfile) {
  const { profileUrl, links } = profile;
  const avatar = avatarPicture(profile.avatarStem);
  const pages = links.map(({ url }) => url).filter((url) => /^https?:/i.test(url));
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    mainEntity: {
      "@type": "Person",
      name: shownName(profile.displayName),
      description: oneLineBio(profile),
      image: avatar && new URL(avatar.jpeg, profileUrl).href,
      url: profileUrl,
      sameAs: pages.length > 0 ? pages : undefined,
    },
  };
}

function oneLineBio({ bio }: PublicProfile): string | undefined {
  return bio?.replaceAll(/\s+/g, " ");
}
