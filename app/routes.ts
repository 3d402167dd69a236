import { index, layout, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";

/** A card's page and files. Each card has a short address and the one with its id. */
const cardRoutes = (path: "c/:code" | "card/:id") => [
  route(path, "features/cards/public/public-page.tsx", { id: path }),
  route(`${path}/contact.vcf`, "features/cards/vcard/vcard-route.ts", { id: `${path}/contact.vcf` }),
  route(`${path}/qr.svg`, "features/cards/images/qr-route.ts", { id: `${path}/qr.svg` }),
  route(`${path}/qr.png`, "features/cards/images/qr-route.ts", { id: `${path}/qr.png` }),
  route(`${path}/preview.png`, "features/cards/images/preview-route.ts", { id: `${path}/preview.png` }),
  route(`${path}/signature.png`, "features/cards/images/signature-route.ts", { id: `${path}/signature.png` }),
];

/** All routes, in the specification's order. The layout of a route decides who may open it. */
export default [
  layout("features/marketing/landing/landing-layout.tsx", [index("features/marketing/landing/landing-page.tsx")]),
  layout("features/shell/site-layout.tsx", [
    route("pricing", "features/billing/pricing/pricing-page.tsx"),
    route("cancel", "features/billing/checkout/cancel-page.tsx"),
    route("status", "features/status/status-page.tsx"),
    route("credits", "features/avatar/credits-page.tsx"),
    route("docs", "features/content/docs/docs-page.tsx"),
    route("security-overview", "features/content/security/security-overview-page.tsx"),
    route("contact", "features/contact/contact-page.tsx"),
    route("privacy", "features/content/legal/privacy-page.tsx"),
    route("terms", "features/content/legal/terms-page.tsx"),
  ]),

  layout("features/account/account-layout.tsx", [
    route("auth", "features/account/sign-in/auth-page.tsx"),
    route("signup", "features/account/sign-in/signup-route.ts"),
    route("auth/demo", "features/account/sign-in/auth-demo-page.tsx"),
    route("auth/confirm", "features/account/sign-in/confirm-page.tsx"),
    route("auth/link", "features/account/email-sign-in/link-page.tsx"),
    route("auth/code", "features/account/email-sign-in/code-page.tsx"),
    route("auth/sign-out", "features/account/sign-in/sign-out-route.ts"),
    route("account/verify", "features/account/sessions/verify-page.tsx"),
    route("account/email", "features/account/settings/confirm-email-page.tsx"),
    route("forgot-password", "features/account/sign-in/forgot-password-page.tsx"),
    route("reset-password", "features/account/sign-in/reset-password-page.tsx"),
    route("dev/mail", "features/account/mailbox/mailbox-page.tsx"),
    route("dev/mail/:name", "features/account/mailbox/mail-page.tsx"),
  ]),

  layout("features/account/signed-in-layout.tsx", [
    route("account", "features/account/settings/account-page.tsx"),
    route("account/sessions", "features/account/sessions/sessions-page.tsx"),
    route("account/delete", "features/account/settings/delete-account-page.tsx"),
    route("success", "features/billing/checkout/success-page.tsx"),
    route("start", "features/start/start-route.ts"),
    route("start/name", "features/start/name-page.tsx"),
    route("start/contact", "features/start/contact-page.tsx"),
    route("start/live", "features/start/live-page.tsx"),
    route("profile", "features/profile/editor/editor-page.tsx"),
    route("profile/handle", "features/profile/handle/handle-route.ts"),
    route("profile/links/import", "features/profile/editor/import-links-route.ts"),
    route("cards", "features/cards/list/cards-route.ts"),
    route("cards/edit/:id?", "features/cards/editor/editor-page.tsx"),
    route("cards/import", "features/cards/import/import-route.ts"),
    route("cards/:id/details", "features/cards/dialog/details-route.ts"),
    route("cards/:id/delete", "features/cards/list/delete-route.ts"),
    route("cards/:id/pause", "features/cards/list/pause-route.ts"),
    route("cards/:id/duplicate", "features/cards/list/duplicate-route.ts"),
    route("cards/:id/move", "features/cards/list/move-route.ts"),
    route("share/profile", "features/sharing/share-page/share-page.tsx", { id: "share-profile" }),
    route("share/profile/signature.html", "features/sharing/share-page/signature-route.ts", {
      id: "profile-signature",
    }),
    route("share/card/:id", "features/sharing/share-page/share-page.tsx", { id: "share-card" }),
    route("share/card/:id/signature.html", "features/sharing/share-page/signature-route.ts", { id: "card-signature" }),
    route("share/profile/background.png", "features/profile/images/background-route.ts"),
    route("share/profile/print.pdf", "features/profile/images/print-route.ts"),
    route("share/card/:id/background.png", "features/cards/images/background-route.ts"),
    route("share/card/:id/print.pdf", "features/cards/images/print-route.ts"),
    route("share/card/:id/contact-code.svg", "features/sharing/offline/offline-code-route.ts", {
      id: "contact-code-svg",
    }),
    route("share/card/:id/contact-code.png", "features/sharing/offline/offline-code-route.ts", {
      id: "contact-code-png",
    }),
    route("offline", "features/sharing/offline/my-qr-route.ts", { id: "offline" }),
    route("avatar/save", "features/avatar/save-route.ts"),
  ]),

  layout("features/sharing/public-layout.tsx", [
    route("u/:id", "features/profile/public/public-page.tsx"),
    route("u/:id/qr.svg", "features/profile/images/qr-route.ts", { id: "profile-qr-svg" }),
    route("u/:id/qr.png", "features/profile/images/qr-route.ts", { id: "profile-qr-png" }),
    route("u/:id/resume", "features/profile/public/resume-page.tsx"),
    route("u/:id/preview.png", "features/profile/images/preview-route.ts"),
    route("u/:id/signature.png", "features/profile/images/signature-route.ts"),
    route("u/:owner/card", "features/cards/public/public-page.tsx", { id: "first-card" }),
    ...cardRoutes("c/:code"),
    ...cardRoutes("card/:id"),
  ]),
  layout("features/shell/not-found/not-found-layout.tsx", [
    route("files/*", "features/uploads/file-page.tsx"),
    route("*", "features/shell/not-found/not-found-page.tsx"),
  ]),
  route("theme", "features/shell/theme/theme-route.ts"),
  route("keep", "features/start/keep-route.ts"),
  route("avatar/:file", "features/avatar/avatar-route.ts"),
  route("my-qr", "features/sharing/offline/my-qr-route.ts", { id: "my-qr" }),
  route("sw.js", "features/sharing/offline/service-worker-route.ts"),

  // For machines.
  route(".well-known/security.txt", "features/content/security/security-txt-route.ts"),
  route("robots.txt", "features/shell/crawlers/robots-route.ts"),
  route("sitemap.xml", "features/shell/crawlers/sitemap-route.ts"),
  route("status.json", "features/status/status-json-route.ts"),
  route("manifest.webmanifest", "features/shell/icons/manifest-route.ts"),
  route("preview.png", "features/shell/crawlers/site-preview-route.ts"),
  route("demo-code.svg", "features/marketing/landing/demo/demo-code-route.ts"),
  route("favicon.ico", "features/shell/icons/icon-route.ts", { id: "favicon-ico" }),
  route("favicon.svg", "features/shell/icons/icon-route.ts", { id: "favicon-svg" }),
  route("apple-touch-icon.png", "features/shell/icons/icon-route.ts", { id: "touch-icon" }),
  route("apple-touch-icon-precomposed.png", "features/shell/icons/icon-route.ts", { id: "old-touch-icon" }),
  route("icons/:name", "features/shell/icons/icon-route.ts", { id: "home-icon" }),
] satisfies RouteConfig;
