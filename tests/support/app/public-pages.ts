type ExpectedPage = {
  title: string;
  status?: number;
  isListed?: boolean;
  /** The path of the canonical page, where it is another one. */
  canonical?: RegExp;
};

/** Every page that a visitor can open without an account, with its title. `isListed`: search engines may index it. */
export const publicPages: Record<string, ExpectedPage> = {
  "/": { title: "One tap, endless connections | Meishi" },
  "/pricing": { title: "Pricing | Meishi" },
  "/docs": { title: "Documentation | Meishi" },
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
  "/no/such/page": { title: "Oops! Page not found | Meishi", status: 404, isListed: false },
  // Passes are off.
  "/demo-pass": { title: "Oops! Page not found | Meishi", status: 404, isListed: false },
  "/u/nobody": { title: "Profile Not Found", status: 404, isListed: false },
  "/c/none": { title: "Card Not Found", status: 404, isListed: false },
  "/card/none": { title: "Card Not Found", status: 404, isListed: false },
  "/c/none/google-wallet": { title: "Card Not Found", status: 404, isListed: false },
  "/card/demo-card/google-wallet": { title: "Card Not Found", status: 404, isListed: false },
  "/c/none/connect": { title: "Card Not Found", status: 404, isListed: false },
  "/lead-mails/nothing": { title: "Emails about leads", status: 404, isListed: false },
  "/weekly-mail/nothing": { title: "Weekly emails", status: 404, isListed: false },
  "/shared/nothing": { title: "Your shared details", status: 404, isListed: false },
  "/files/nothing": { title: "File not found | Meishi", status: 404, isListed: false },
  "/u/demo-user/resume": { title: "Failed to view resume", status: 404, isListed: false },
};
