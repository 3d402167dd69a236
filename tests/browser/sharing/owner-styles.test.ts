import { readdirSync, readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { createElement } from "react";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { defaultDesign } from "#app/features/cards/card-design.ts";
import type { CardLayout } from "#app/features/cards/card-design.ts";
import { cardStyle } from "#app/features/cards/card-style.ts";
import type { PublicCardViewModel } from "#app/features/cards/card-view-model.ts";
import { BusinessCard } from "#app/features/cards/public/business-card.tsx";
import { PublicCardView } from "#app/features/cards/public/public-card-view.tsx";
import { cardRules } from "#app/features/cards/public/show-all-field.tsx";
import { ContactButtons } from "#app/features/cards/public/save-contact-button.tsx";
import { ProfileView } from "#app/features/profile/public/profile-view.tsx";
import type { PublicProfile } from "#app/features/profile/public-profile.server.ts";
import { themes } from "#app/features/profile/themes.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { WalletBadges } from "#app/features/wallet/public/wallet-badges.tsx";
import { walletCss } from "#app/features/wallet/public/wallet-style.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { openSite } from "#tests/support/browser/site.ts";
import { publicCss } from "#tests/support/fixtures/public-css.ts";

const site = openSite();

const link = { id: "l1", kind: "link", tab: "professional", label: "GitHub", url: "https://github.com/demo" } as const;
const key = "avatars/demo-user/avatar_1790000000000";
const video = { ...link, id: "l4", kind: "media", url: "https://www.youtube.com/watch?v=1" } as const;
const profile: PublicProfile = {
  id: "demo-user",
  displayName: "Demo User",
  bio: "Product designer.\nI make small things.",
  theme: "minimal",
  links: [
    link,
    { ...link, id: "l2", kind: "heading", label: "Talks", url: "" },
    { ...link, id: "l3", kind: "featured", picture: "pictures/ada/x_1790000000000", alt: "A garden" },
    video,
  ],
  profileUrl: "https://meishi.example/u/demo",
  hasBranding: true,
  avatarKey: key,
  bannerKey: key,
  resumeFilename: "cv.pdf",
};
const card: PublicCardViewModel = {
  id: "c1",
  displayName: "Demo User",
  pronouns: "they/them",
  profession: "Product designer",
  company: "Example Studio",
  position: "Head of design",
  logo: "/files/logo.webp?v=1",
  yearsExperience: 8,
  email: "demo@example.com",
  phone: "+1 555 0100",
  website: "https://studio.example/team",
  address: ["1 Main St", "USA"],
  links: [{ id: "l1", name: "LinkedIn", url: "https://www.linkedin.com/in/demo" }],
  bio: "I make small things. ".repeat(30),
  profileUrl: "/u/demo-user",
  cardUrl: "https://meishi.example/c/h7k2m9x",
  path: "/c/h7k2m9x",
  hasBranding: true,
  hasLeadForm: true,
};
const qr = qrPath("https://meishi.example/c/h7k2m9x?q");
const badges = createElement(WalletBadges, {
  cardId: "c1",
  path: card.path,
  offered: { apple: true, google: true },
});
const contact = createElement(ContactButtons, { path: card.path, formPath: `${card.path}/connect` });
const showCard = (layout: CardLayout) => {
  const style = cardStyle({ ...defaultDesign, layout }, { theme: "minimal", plan: plans.premium });
  const shown = { ...card, style, avatar: avatarUrls(key) };
  const css = cardRules(shown) + walletCss;
  return createElement(PublicCardView, { card: shown, qr, wallets: badges, css });
};
const components = Object.entries({
  profile: createElement(ProfileView, { profile, qr, contact }),
  "classic card": showCard("classic"),
  "centered card": showCard("centered"),
  "cover card": showCard("cover"),
});

/** What a reader sees of each element: its box and its most visible properties. */
function readStyles() {
  const properties = "color background-color font-family font-size font-weight line-height letter-spacing";
  const others = "text-decoration-line text-transform list-style-type border-top-width border-top-color opacity";
  // Radio buttons have no text, and texts for screen readers aren't seen.
  return [...document.querySelectorAll(".page, .page :not(input, style, .sr-only)")].map((element) => {
    const style = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    const values = `${properties} ${others}`.split(" ").map((name) => `${name}: ${style.getPropertyValue(name)}`);
    const box = [x, y, width, height].map(Math.round).join(" ");
    return [`${element.tagName} ${element.getAttribute("class") ?? ""}`, `box: ${box}`, ...values].join("; ");
  });
}

/** All of it at once: both tabs, and the panels as in browsers without popovers. */
async function showAll(page: Page, view: ReactElement) {
  const html = renderToStaticMarkup(view).replaceAll(/ popover="[^"]*"/gi, "");
  const css = `${publicCss}.tabs > .panel { display: block !important; }`;
  await page.setContent(`<!DOCTYPE html><style>${css}</style>${html}`);
}

function appCss(): string {
  const name = readdirSync("build/client/assets").find((file) => /^app-[^.]+\.css$/.test(file)) ?? "";
  return readFileSync(`build/client/assets/${name}`, "utf8");
}

test.each(components)("the %s looks the same for its owner, under the app's stylesheet", async (_, view) => {
  const { page } = await site.open();
  await showAll(page, view);
  const seen = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    seen.push({ width, ofVisitor: await page.evaluate(readStyles) });
  }
  await page.addStyleTag({ content: appCss() });
  for (const { width, ofVisitor } of seen) {
    await page.setViewportSize({ width, height: 844 });
    const ofOwner = await page.evaluate(readStyles);
    const different = ofOwner.filter((one, index) => one !== ofVisitor[index]);
    expect([width, different.slice(0, 5), ofOwner.length]).toEqual([width, [], ofVisitor.length]);
  }
});

test.each(["classic", "centered", "cover"] as const)(
  "the %s card looks the same in its owner's dialog",
  async (layout) => {
    const { page } = await site.open();
    const style = cardStyle({ ...defaultDesign, layout }, { theme: "default", plan: plans.premium });
    const shown = createElement(BusinessCard, { card: { ...card, style, avatar: avatarUrls(key) }, as: "p" });
    const html = renderToStaticMarkup(shown);
    const css = `${publicCss}${cardRules({ ...card, style })}body{margin:0}`;
    const boxes = async (className: string, appCss: string) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const body = `<div class="${className}" data-theme="default"><div class="box">${html}</div></div>`;
      await page.setContent(`<!DOCTYPE html><style>${appCss}</style><style>${css}.box{width:350px}</style>${body}`);
      return page.evaluate(() =>
        [...document.querySelectorAll(".card, .card *")].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.tagName, element.className, ...[x, y, width, height].map(Math.round)].join(" ");
        }),
      );
    };
    expect(await boxes("accent", appCss())).toEqual(await boxes("page", ""));
  },
);

test("wallet badges are readable in every theme, light and dark", async () => {
  const { page } = await site.open();
  const inTheme = (id: string) => createElement("main", { className: "page", "data-theme": id, key: id }, badges);
  const all = ["ink", ...themes.map(({ id }) => id)].map(inTheme);
  await showAll(page, createElement("div", {}, createElement("style", {}, walletCss), ...all));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAxeViolations(page, { rules: ["color-contrast"] }), colorScheme).toEqual([]);
  }
});
