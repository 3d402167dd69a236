/**
 * Writes app/features/marketing/landing/images/integrations.svg: the logos of the services that the landing page names, from the package
 * simple-icons (CC0) or the product's own drawings, in a gray that is visible in both themes. Each row is a view that an address can end with.
 *
 *   node scripts/draw-integrations.mjs
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { findBrandDrawing } from "../app/features/links/icons/brands.ts";

/** By their names in the package, which has none of Slack, Teams and Outlook. At this size, that of Cal.com can't be read. */
const logoRows = {
  booking: ["calendly"],
  email: ["gmail", "zoom", "googlemeet"],
  nfc: ["nfc"],
  imports: ["linktree", "linkedin"],
  chat: ["mattermost", "rocketdotchat", "discord"],
  leads: ["nextcloud", "hubspot", "mailchimp", "brevo", "listmonk"],
};
/** From one logo to the next; a logo is 24 wide. The section reserves as much for each. */
const logoStep = 40;

const icons = fileURLToPath(new URL(".", import.meta.resolve("simple-icons/icons/github.svg")));
const rows = Object.entries(logoRows).map(([id, logos], row) => {
  const drawn = logos.map((logo, column) => {
    const { d, isLine } = drawingOf(logo);
    const attributes = isLine ? ' fill="none" stroke="#85827b" stroke-width="1.7"' : "";
    return `<path transform="translate(${column * logoStep} ${row * logoStep})" d="${d}"${attributes}/>`;
  });
  return `<view id="${id}" viewBox="0 ${row * logoStep} ${logos.length * logoStep} 24"/>${drawn.join("")}`;
});
writeFileSync(
  new URL("../app/features/marketing/landing/images/integrations.svg", import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" fill="#85827b" stroke-linecap="round" stroke-linejoin="round">${rows.join("")}</svg>\n`,
);

/** simple-icons has no logo of LinkedIn, and that of Zoom is a word. */
function drawingOf(logo) {
  const own = { linkedin: "linkedin.com", zoom: "zoom.us" }[logo];
  if (own !== undefined) return findBrandDrawing(`https://${own}/`);
  const [, d] = / d="([^"]+)"/.exec(readFileSync(`${icons}${logo}.svg`, "utf8"));
  return { d, isLine: false };
}
