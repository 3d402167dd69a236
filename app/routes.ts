import { index, layout, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";

/** The product on one page, in the specification's order. Who may see what is shown by the layout it stands in. */
export default [
  layout("features/shell/site-layout.tsx", [
    route("pricing", "features/marketing/pricing-page.tsx"),
    route("status", "features/status/status-page.tsx"),
    route("credits", "features/avatar/credits-page.tsx"),
  ]),

  layout("features/account/account-layout.tsx", [
    route("auth", "features/account/auth-page.tsx"),
    route("signup", "features/account/signup-route.ts"),
    route("auth/confirm", "features/account/confirm-route.ts"),
    route("auth/sign-out", "features/account/sign-out-route.ts"),
    route("forgot-password", "features/account/forgot-password-page.tsx"),
    route("reset-password", "features/account/reset-password-page.tsx"),
    route("dev/mail", "features/account/mail-box-page.tsx"),
    route("dev/mail/:name", "features/account/mail-page.tsx"),
  ]),

  layout("features/account/signed-in-layout.tsx", [
    route("profile", "features/profile/editor-page.tsx"),
    route("profile/links/import", "features/profile/import-route.ts"),
    route("cards/edit/:id?", "features/cards/editor-page.tsx"),
    route("cards/import", "features/cards/import-route.ts"),
    route("cards/:id/details", "features/cards/details-route.ts"),
    route("cards/:id/delete", "features/cards/delete-route.ts"),
    route("cards/:id/pause", "features/cards/pause-route.ts"),
    route("cards/:id/duplicate", "features/cards/duplicate-route.ts"),
    route("cards/:id/move", "features/cards/move-route.ts"),
    route("share/profile", "features/sharing/share-page.tsx", { id: "share-profile" }),
    route("share/profile/signature.html", "features/sharing/signature-route.ts", { id: "profile-signature" }),
    route("share/card/:id", "features/sharing/share-page.tsx", { id: "share-card" }),
    route("share/card/:id/signature.html", "features/sharing/signature-route.ts", { id: "card-signature" }),
    route("share/profile/background.png", "features/profile/background-route.ts"),
    route("share/profile/print.pdf", "features/profile/print-route.ts"),
    route("share/card/:id/background.png", "features/cards/background-route.ts"),
    route("share/card/:id/print.pdf", "features/cards/print-route.ts"),
    route("share/card/:id/contact-code.svg", "features/sharing/offline-code-route.ts", { id: "contact-code-svg" }),
    route("share/card/:id/contact-code.png", "features/sharing/offline-code-route.ts", { id: "contact-code-png" }),
    route("offline", "features/sharing/offline-route.ts"),
    route("avatar/save", "features/avatar/save-route.ts"),
  ]),

  layout("features/sharing/public-layout.tsx", [
    route("u/:id", "features/profile/public-page.tsx"),
    route("u/:id/qr.svg", "features/profile/qr-route.ts", { id: "profile-qr-svg" }),
    route("u/:id/qr.png", "features/profile/qr-route.ts", { id: "profile-qr-png" }),
    route("u/:id/resume", "features/profile/resume-page.tsx"),
    route("u/:id/preview.png", "features/profile/preview-route.ts"),
    route("u/:id/signature.png", "features/profile/signature-route.ts"),
    route("card/:id", "features/cards/public-page.tsx"),
    route("card/:id/contact.vcf", "features/cards/contact-route.ts"),
    route("card/:id/qr.svg", "features/cards/qr-route.ts", { id: "card-qr-svg" }),
    route("card/:id/qr.png", "features/cards/qr-route.ts", { id: "card-qr-png" }),
    route("card/:id/preview.png", "features/cards/preview-route.ts"),
    route("card/:id/signature.png", "features/cards/signature-route.ts"),
    route("*", "features/shell/not-found-page.tsx"),
  ]),
  route("theme", "features/shell/theme-route.ts"),
  route("avatar/:file", "features/avatar/avatar-route.ts"),
  route("sw.js", "features/sharing/service-worker-route.ts"),

  // For machines.
  route("robots.txt", "features/shell/robots-route.ts"),
  route("sitemap.xml", "features/shell/sitemap-route.ts"),
  route("status.json", "features/status/status-json-route.ts"),
  route("manifest.webmanifest", "features/shell/manifest-route.ts"),
  route("preview.png", "features/shell/site-preview-route.ts"),
  route("favicon.ico", "features/shell/icon-route.ts", { id: "favicon-ico" }),
  route("favicon.svg", "features/shell/icon-route.ts", { id: "favicon-svg" }),
  route("apple-touch-icon.png", "features/shell/icon-route.ts", { id: "touch-icon" }),
  route("apple-touch-icon-precomposed.png", "features/shell/icon-route.ts", { id: "old-touch-icon" }),
  route("icons/:name", "features/shell/icon-route.ts", { id: "home-icon" }),
] satisfies RouteConfig;
