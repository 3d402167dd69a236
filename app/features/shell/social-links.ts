/** Where an operator can be followed; `isPlaceholder` where they have not said, and the link leads to the service itself. */
export type SocialLink = { icon: SocialIcon; name: string; url: string; isPlaceholder?: boolean };

export type SocialIcon = "github" | "linkedin" | "x" | "instagram" | "facebook" | "twitch" | "globe";

/** What the operator's content file names, each with its drawing; without any, three that are plainly no more than places for them. */
export function socialLinks(given: readonly { service: string; url: string }[]): SocialLink[] {
  if (given.length === 0) return placeholders;
  return given.map(({ service, url }) => {
    const known = services.find(({ icon }) => icon === service.trim().toLowerCase());
    return { icon: known?.icon ?? "globe", name: known?.name ?? service, url };
  });
}

const services: readonly { icon: SocialIcon; name: string }[] = [
  { icon: "github", name: "GitHub" },
  { icon: "linkedin", name: "LinkedIn" },
  { icon: "x", name: "X" },
  { icon: "instagram", name: "Instagram" },
  { icon: "facebook", name: "Facebook" },
  { icon: "twitch", name: "Twitch" },
];

const placeholders: SocialLink[] = [
  { icon: "github", name: "GitHub", url: "https://github.com/", isPlaceholder: true },
  { icon: "linkedin", name: "LinkedIn", url: "https://www.linkedin.com/", isPlaceholder: true },
  { icon: "x", name: "X", url: "https://x.com/", isPlaceholder: true },
];
