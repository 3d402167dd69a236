type ExpectedPage =
  | {
      title: string;
      status?: number;
      /** Whether search engines may index it. */
      isListed?: boolean;
      /** The path of the canonical page, where it is another one. */
      canonical?: RegExp;
    }
  /** `owner`: after a sign-in. `operator`: for others it doesn't exist. `some`: with a link from a mail, or in a certain state. */
  | { access: "owner" | "operator" | "some" };

const missing = { status: 404, isListed: false };
const some = { access: "some" } as const;
const pagesOf = (access: "owner" | "operator", paths: string) =>
  Object.fromEntries(
    paths
      .trim()
      .split(/\s+/)
      .map((path) => [path, { access }]),
  );

const ownerPaths = `
  /home /cards /account /account/delete /account/connections /account/sessions /account/two-step /account/two-step/app
  /account/preferences /account/security-log /account/api-keys /account/api-keys/new /account/export /profile
  /analytics /cards/edit /cards/edit/none
  /cards/none/leads /cards/none/kiosk /cards/none/hand-over /cards/none/pass /leads /leads/new /leads/scan /leads/merge /leads/none
  /leads/notifications /leads/devices /integrations /integrations/new/brevo /integrations/new/google
  /integrations/none /integrations/none/edit /webhooks /webhooks/new /webhooks/none /webhooks/none/edit /webhooks/none/secret
  /webhooks/none/log/none /share/profile /share/card/none
  /share/profile/qr /share/profile/signature /share/profile/print /share/profile/background /share/profile/nfc
  /share/card/none/offline /leads/none/reply /leads/none/edit /start/name /start/contact /start/live
  /pricing/subscribe /success`;

const operatorPaths = `
  /admin/two-step /admin/users /admin/users/none /admin/invitations /admin/billing /admin/log /admin/system /admin/setup`;

/**
 * Every page of the product by an address: its title if anyone can open it, or who can. A page's other states are in tests/support/screens;
 * the plain one of a new page is checked from here.
 */
export const pages: Record<string, ExpectedPage> = {
  "/": { title: "One tap, endless connections | Meishi" },
  "/pricing": { title: "Pricing | Meishi" },
  "/docs": { title: "Documentation | Meishi" },
  "/docs/api": { title: "API reference | Meishi" },
  "/security-overview": { title: "Security | Meishi" },
  "/status": { title: "Status | Meishi" },
  "/contact": { title: "Contact | Meishi" },
  "/privacy": { title: "Privacy | Meishi" },
  "/terms": { title: "Terms | Meishi" },
  "/credits": { title: "Credits | Meishi" },
  "/auth": { title: "Login | Meishi" },
  "/auth/code": { title: "Error: Check your email | Meishi", isListed: false },
  "/auth/link": { title: "Error: Sign in | Meishi", isListed: false },
  "/cancel": { title: "Checkout canceled | Meishi", isListed: false },
  "/auth/demo": { title: "Auth demo | Meishi", isListed: false },
  "/forgot-password": { title: "Forgot your password? | Meishi", isListed: false },
  "/account/email": { title: "Error: This confirmation link is incomplete | Meishi", isListed: false },
  "/u/demo-user": { title: "Maya Lindqvist | Professional Profile" },
  "/card/demo-card": { title: "Maya Lindqvist | Business Card", canonical: /^\/c\/\w{7}$/ },
  "/u/demo-user/card": { title: "Maya Lindqvist | Business Card", canonical: /^\/c\/\w{7}$/ },
  "/no/such/page": { title: "Oops! Page not found | Meishi", ...missing },
  // Passes are off.
  "/demo-pass": { title: "Oops! Page not found | Meishi", ...missing },
  "/u/nobody": { title: "Profile Not Found", ...missing },
  "/c/none": { title: "Card Not Found", ...missing },
  "/card/none": { title: "Card Not Found", ...missing },
  "/c/none/pass": { title: "Card Not Found", ...missing },
  "/card/demo-card/pass": { title: "Failed to generate Apple Wallet pass", ...missing },
  "/c/none/google-wallet": { title: "Card Not Found", ...missing },
  "/card/demo-card/google-wallet": { title: "Card Not Found", ...missing },
  "/c/none/connect": { title: "Card Not Found", ...missing },
  "/lead-mails/none": { title: "Emails about leads", ...missing },
  "/weekly-mail/none": { title: "Weekly emails", ...missing },
  "/shared/none": { title: "Your shared details", ...missing },
  "/files/none": { title: "File not found | Meishi", ...missing },
  "/u/demo-user/resume": { title: "Failed to view resume", ...missing },

  ...pagesOf("owner", ownerPaths),

  ...pagesOf("operator", operatorPaths),

  // The sample's form is off: it leads to the card.
  "/card/demo-card/connect": some,
  "/auth/confirm": some,
  "/auth/invitation": some,
  // Without a sign-in that waits for a second step it leads to the sign-in page.
  "/auth/verify": some,
  "/auth/with-passkey": some,
  // Wallets are off by default.
  "/auth/with-wallet": some,
  "/account/wallet": some,
  // A visitor has no sign-in to confirm.
  "/account/verify": some,
  "/account/email/restore": some,
  "/reset-password": some,
  // Only without a mail server.
  "/dev/mail": some,
  "/dev/mail/none": some,
};

/** The pages that anyone can open, with what they say about themselves. */
export const publicPages = Object.entries(pages).flatMap(([path, page]) =>
  "title" in page ? [{ path, status: 200, isListed: true, ...page }] : [],
);
