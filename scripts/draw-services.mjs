/**
 * Writes app/features/marketing/landing/images/services.svg: the icons of services that links can have, from the product's own
 * drawings, in a gray that is visible in both themes.
 *
 *   node scripts/draw-services.mjs
 */
import { writeFileSync } from "node:fs";

import { findBrandDrawing } from "../app/features/links/icons/brands.ts";

const hosts =
  "linkedin.com github.com calendly.com instagram.com youtube.com x.com bsky.app mastodon.social threads.net tiktok.com facebook.com whatsapp.com " +
  "t.me signal.org discord.com gitlab.com codeberg.org bitbucket.org stackoverflow.com npmjs.com dev.to hashnode.com medium.com substack.com " +
  "ghost.io wordpress.com notion.so figma.com dribbble.com behance.net unsplash.com pinterest.com vimeo.com twitch.tv spotify.com tidal.com " +
  "soundcloud.com bandcamp.com letterboxd.com goodreads.com overcast.fm strava.com steamcommunity.com orcid.org scholar.google.com researchgate.net xing.com upwork.com " +
  "producthunt.com crunchbase.com patreon.com ko-fi.com gumroad.com paypal.com wise.com etsy.com amazon.com reddit.com matrix.org zoom.us";
const columns = 15;
const cell = 76;
const scale = 1.15;

const drawings = hosts.split(" ").map((host) => {
  const drawing = findBrandDrawing(`https://${host}/`);
  if (!drawing) throw new Error(`no drawing for ${host}`);
  return drawing;
});
const rows = Math.ceil(drawings.length / columns);
const paths = drawings.map(({ d, isLine }, index) => {
  const [x, y] = [index % columns, Math.floor(index / columns)].map((at) =>
    Math.round(at * cell + cell / 2 - 12 * scale),
  );
  const attributes = isLine ? ' fill="none" stroke="#85827b" stroke-width="1.7"' : "";
  return `<path transform="translate(${x} ${y})scale(${scale})" d="${d}"${attributes}/>`;
});
const [width, height] = [columns * cell, rows * cell];
writeFileSync(
  new URL("../app/features/marketing/landing/images/services.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="#85827b" stroke-linecap="round" stroke-linejoin="round">${paths.join("")}</svg>\n`,
);
