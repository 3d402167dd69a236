import { index, layout, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";

/** The product on one page, in the specification's order. Who may see what is shown by the layout it stands in. */
export default [
  layout("features/marketing/site-layout.tsx", [
    index("features/marketing/landing-page.tsx"),
    route("pricing", "features/marketing/pricing-page.tsx"),
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
    route("cards/edit/:id?", "features/cards/editor-page.tsx"),
    route("cards/:id/details", "features/cards/details-route.ts"),
    route("cards/:id/delete", "features/cards/delete-route.ts"),
  ]),

  layout("features/sharing/public-layout.tsx", [
    route("u/:id", "features/profile/public-page.tsx"),
    route("u/:id/qr.svg", "features/profile/qr-route.ts", { id: "profile-qr-svg" }),
    route("u/:id/qr.png", "features/profile/qr-route.ts", { id: "profile-qr-png" }),
    route("card/:id", "features/cards/public-page.tsx"),
    route("card/:id/contact.vcf", "features/cards/contact-route.ts"),
    route("card/:id/qr.svg", "features/cards/qr-route.ts", { id: "card-qr-svg" }),
    route("card/:id/qr.png", "features/cards/qr-route.ts", { id: "card-qr-png" }),
    route("*", "features/marketing/not-found-page.tsx"),
  ]),
] satisfies RouteConfig;
