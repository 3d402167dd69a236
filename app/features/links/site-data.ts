import { shortened, withoutDirectionMarks } from "#app/services/base/plain-text.ts";

import { hostLabel, isAllowedAddress, linkHost, maxLabelLength, withScheme } from "./rules.ts";

/** What a link to a site opens. */
type MediumKind = "video" | "music" | "podcast" | "map";

/** `label`: "Video · YouTube"; `cardName`: "Video card". */
export type Medium = { kind: MediumKind; label: string; cardName: string; isPlayed: boolean };

/** `icon` is a key of the drawings in icons/; `hosts` include their subdomains, unless those are listed themselves. */
export type Site = { icon: string; name: string; hosts: readonly string[]; medium?: MediumKind };

/** The site at an address's host: "https://gist.github.com/ada" -> GitHub. Makes no request. */
export function findSite(address: string): Site | undefined {
  const host = linkHost(address);
  if (/^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/.test(host))
    return pathOf(address).startsWith("/maps") ? sitesByHost.get("maps.google.com") : undefined;
  // The host itself first, then its parent domains: gist.github.com, github.com, com.
  for (let parent = host; parent !== ""; parent = parentDomain(parent)) {
    const site = sitesByHost.get(parent);
    if (site !== undefined) return site;
  }
  return undefined;
}

/** What the address opens, if its site is known for one medium. */
export function findMedium(address: string): Medium | undefined {
  const { medium: kind, name = "" } = findSite(address) ?? {};
  if (!kind) return undefined;
  const mediumName = mediumNames[kind];
  return { kind, label: `${mediumName} · ${name}`, cardName: `${mediumName} card`, isPlayed: kind !== "map" };
}

const mediumNames: Record<MediumKind, string> = { video: "Video", music: "Music", podcast: "Podcast", map: "Map" };

/** Whether an address is a page where visitors book a meeting. */
export function isBookingPage(address: string): boolean {
  const host = linkHost(address);
  const isBookingHost = bookingHosts.some((booking) => host === booking || host.endsWith(`.${booking}`));
  return isBookingHost || bookingPages.test(`${host}${pathOf(address)}`);
}

/** A label for a link to an address: the name of the site, or the host; "" while the address is incomplete. */
export function suggestLabel(address: string): string {
  const url = withScheme(address);
  if (!isAllowedAddress(url)) return "";
  return shortened(findSite(url)?.name || hostLabel(url), maxLabelLength);
}

/** The label of a link whose address changed: a label that is empty or was suggested for the old address follows the new one. */
export function relabel(label: string, { from, to }: { from: string; to: string }): string {
  return label.trim() === "" || label === suggestLabel(from) ? suggestLabel(to) : label;
}

/** The user name in text that was typed in place of an address: "@ada" and "ada" -> "ada". Undefined for any other text. */
export function findUserName(typed: string): string | undefined {
  return /^(?:@([\w.-]{1,50})|([a-z]\w[\w-]{0,48}))$/i
    .exec(withoutDirectionMarks(typed).trim())
    ?.slice(1)
    .find(Boolean);
}

/** Networks where the URL of a user is `base` and the user name. */
export const networks: readonly { name: string; base: string }[] = [
  { name: "Instagram", base: "https://www.instagram.com/" },
  { name: "LinkedIn", base: "https://www.linkedin.com/in/" },
  { name: "X", base: "https://x.com/" },
  { name: "TikTok", base: "https://www.tiktok.com/@" },
  { name: "YouTube", base: "https://www.youtube.com/@" },
  { name: "GitHub", base: "https://github.com/" },
  { name: "Facebook", base: "https://www.facebook.com/" },
  { name: "Threads", base: "https://www.threads.com/@" },
  { name: "Telegram", base: "https://t.me/" },
  { name: "Twitch", base: "https://www.twitch.tv/" },
];

/** "gist.github.com" -> "github.com", "com" -> "". */
function parentDomain(host: string): string {
  const dot = host.indexOf(".");
  return dot < 0 ? "" : host.slice(dot + 1);
}

function pathOf(address: string): string {
  return URL.parse(withScheme(address))?.pathname ?? "";
}

/** Icon, name, hosts and medium. Sites without a name of their own show users under subdomains: their host says more. */
const rows: readonly (readonly [icon: string, name: string, hosts: string, medium?: MediumKind])[] = [
  ["googlescholar", "Google Scholar", "scholar.google.com"],
  ["calendar", "Calendly", "calendly.com"],
  ["calendar", "Cal.com", "cal.com"],
  ["calendar", "SavvyCal", "savvycal.com"],
  ["calendar", "Doodle", "doodle.com"],
  ["calendar", "Google Calendar", "calendar.google.com calendar.app.google"],
  ["calendar", "HubSpot Meetings", "meetings.hubspot.com meetings-eu1.hubspot.com"],
  ["calendar", "Microsoft Bookings", "book.ms outlook.office365.com outlook.office.com"],
  ["calendar", "YouCanBookMe", "youcanbook.me"],
  ["calendar", "Acuity Scheduling", "acuityscheduling.com as.me"],
  ["calendar", "TidyCal", "tidycal.com"],
  ["calendar", "Zcal", "zcal.co"],
  ["calendar", "Koalendar", "koalendar.com"],
  ["calendar", "Setmore", "setmore.com"],
  ["calendar", "SimplyBook.me", "simplybook.me simplybook.it"],
  ["calendar", "Zoho Bookings", "zohobookings.com bookings.zoho.com"],
  ["note", "Apple Music", "music.apple.com", "music"],
  ["note", "YouTube Music", "music.youtube.com", "music"],
  ["note", "Deezer", "deezer.com deezer.page.link", "music"],
  ["mic", "Apple Podcasts", "podcasts.apple.com", "podcast"],
  ["mic", "Spotify for Creators", "podcasters.spotify.com creators.spotify.com", "podcast"],
  ["mic", "Overcast", "overcast.fm", "podcast"],
  ["mic", "Pocket Casts", "pca.st pocketcasts.com", "podcast"],
  ["mic", "Google Podcasts", "podcasts.google.com", "podcast"],
  ["video", "Google Meet", "meet.google.com"],
  ["video", "Zoom", "zoom.us"],
  ["video", "Microsoft Teams", "teams.microsoft.com"],
  ["video", "Dailymotion", "dailymotion.com dai.ly", "video"],
  ["video", "Loom", "loom.com", "video"],
  ["pin", "Google Maps", "maps.google.com maps.app.goo.gl", "map"],
  ["pin", "Apple Maps", "maps.apple.com", "map"],
  ["pin", "OpenStreetMap", "openstreetmap.org osm.org", "map"],
  ["pin", "Meetup", "meetup.com"],
  ["store", "Amazon", "amazon.com"],
  ["store", "", "shopify.com myshopify.com bigcartel.com"],
  ["store", "App Store", "apps.apple.com"],
  ["store", "Google Play", "play.google.com"],
  ["book", "Goodreads", "goodreads.com"],
  ["book", "Apple Books", "books.apple.com"],
  ["book", "Open Library", "openlibrary.org"],
  ["book", "", "readthedocs.io gitbook.io"],
  ["cup", "Ko-fi", "ko-fi.com"],
  ["cup", "Buy Me a Coffee", "buymeacoffee.com bmc.link"],
  ["github", "GitHub", "github.com"],
  ["github", "", "github.io"],
  ["linkedin", "LinkedIn", "linkedin.com lnkd.in"],
  ["x", "X", "x.com twitter.com"],
  ["instagram", "Instagram", "instagram.com instagr.am ig.me"],
  ["facebook", "Facebook", "facebook.com fb.com fb.me"],
  ["spotify", "Spotify", "spotify.com spotify.link", "music"],
  ["slack", "Slack", "slack.com"],
  ["twitch", "Twitch", "twitch.tv", "video"],
  ["youtube", "YouTube", "youtube.com youtu.be", "video"],
  ["tiktok", "TikTok", "tiktok.com", "video"],
  ["threads", "Threads", "threads.net threads.com"],
  ["bluesky", "Bluesky", "bsky.app bsky.social"],
  [
    "mastodon",
    "Mastodon",
    "mastodon.social mastodon.online mastodon.world mstdn.social fosstodon.org hachyderm.io joinmastodon.org",
  ],
  ["pixelfed", "Pixelfed", "pixelfed.social pixelfed.org"],
  ["medium", "Medium", "medium.com"],
  ["substack", "Substack", "substack.com"],
  ["dribbble", "Dribbble", "dribbble.com"],
  ["behance", "Behance", "behance.net"],
  ["figma", "Figma", "figma.com"],
  ["stackoverflow", "Stack Overflow", "stackoverflow.com"],
  ["stackoverflow", "Stack Exchange", "stackexchange.com"],
  ["gitlab", "GitLab", "gitlab.com"],
  ["bitbucket", "Bitbucket", "bitbucket.org"],
  ["codeberg", "Codeberg", "codeberg.org"],
  ["npm", "npm", "npmjs.com"],
  ["notion", "Notion", "notion.so notion.com"],
  ["notion", "", "notion.site"],
  ["telegram", "Telegram", "t.me telegram.me telegram.org"],
  ["whatsapp", "WhatsApp", "whatsapp.com wa.me"],
  ["signal", "Signal", "signal.me signal.group signal.org"],
  ["discord", "Discord", "discord.com discord.gg"],
  ["reddit", "Reddit", "reddit.com redd.it"],
  ["pinterest", "Pinterest", "pinterest.com pin.it"],
  ["snapchat", "Snapchat", "snapchat.com"],
  ["soundcloud", "SoundCloud", "soundcloud.com", "music"],
  ["bandcamp", "Bandcamp", "bandcamp.com", "music"],
  ["tidal", "TIDAL", "tidal.com", "music"],
  ["vimeo", "Vimeo", "vimeo.com", "video"],
  ["patreon", "Patreon", "patreon.com"],
  ["gumroad", "Gumroad", "gumroad.com"],
  ["paypal", "PayPal", "paypal.com paypal.me"],
  ["wise", "Wise", "wise.com"],
  ["etsy", "Etsy", "etsy.com etsy.me"],
  ["orcid", "ORCID", "orcid.org"],
  ["researchgate", "ResearchGate", "researchgate.net"],
  ["xing", "XING", "xing.com"],
  ["devdotto", "DEV", "dev.to"],
  ["hashnode", "Hashnode", "hashnode.com"],
  ["hashnode", "", "hashnode.dev"],
  ["ghost", "", "ghost.io ghost.org"],
  ["wordpress", "", "wordpress.com wordpress.org"],
  ["tumblr", "Tumblr", "tumblr.com"],
  ["quora", "Quora", "quora.com"],
  ["producthunt", "Product Hunt", "producthunt.com"],
  ["crunchbase", "Crunchbase", "crunchbase.com"],
  ["upwork", "Upwork", "upwork.com"],
  ["unsplash", "Unsplash", "unsplash.com"],
  ["letterboxd", "Letterboxd", "letterboxd.com"],
  ["strava", "Strava", "strava.com"],
  ["steam", "Steam", "steamcommunity.com steampowered.com"],
  ["matrix", "Matrix", "matrix.to matrix.org"],
  ["vk", "VK", "vk.com"],
];

export const sites: readonly Site[] = rows.map(([icon, name, hosts, medium]) => ({
  icon,
  name,
  hosts: hosts.split(" "),
  ...(medium && { medium }),
}));

const sitesByHost = new Map(sites.flatMap((site) => site.hosts.map((host) => [host, site] as const)));

/** Sites that only take bookings. */
const bookingHosts =
  "calendly.com cal.com savvycal.com doodle.com calendar.app.google book.ms youcanbook.me acuityscheduling.com as.me tidycal.com zcal.co koalendar.com setmore.com simplybook.me simplybook.it zohobookings.com bookings.zoho.com".split(
    " ",
  );

/** Booking pages of sites that have other pages, as host and path. */
const bookingPages =
  /^(?:calendar\.google\.com\/calendar\/(?:u\/\d+\/)?(?:appointments|selfsched)|meetings(?:-[a-z0-9]+)?\.hubspot\.com\/|outlook\.office(?:365)?\.com\/(?:bookwithme|book\/|owa\/calendar\/[^/]+\/bookings))/;
