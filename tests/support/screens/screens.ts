import type { Page } from "playwright-core";

import { pages } from "#tests/support/app/pages.ts";
import { fillParameters, listPageRoutes, matchesRoute } from "#tests/support/app/route-table.ts";
import { waitForLoad } from "#tests/support/browser/site.ts";
import { seededPassword as password } from "#tests/support/database/seed.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { editorScreens, keepToastOpen, ownAccountScreens, shareScreens, startScreens } from "./owner-screens.ts";
import { factorScreens } from "./factor-screens.ts";
import { leadGroups } from "./leads/lead-screens.ts";
import { sessionScreens } from "./session-screens.ts";
import { adminScreens } from "./admin-screens.ts";
import { providerScreens } from "./provider-screens.ts";
import { contentScreens, landingScreens } from "./site-screens.ts";
import { sharedContactScreens, visitorScreens } from "./visitor-screens.ts";
import type { Screen } from "./visit.ts";

/** The screens in each of their visually different states. */
const groups: Record<string, (cast: ScreenAccounts) => Screen[]> = {
  "the site": siteScreens,
  "the landing page": landingScreens,
  "the pages to read": contentScreens,
  "the account pages": signInScreens,
  "a visitor's pages": visitorScreens,
  "a visitor's shared contact": sharedContactScreens,
  "an owner's pages": ownerScreens,
  "the first steps": startScreens,
  "a member's account": ownAccountScreens,
  "sessions and identity": sessionScreens,
  "two-step verification": factorScreens,
  "signing in with providers": providerScreens,
  "the operator's pages": adminScreens,
  ...leadGroups,
  "the editors": editorScreens,
  "the pages to share from": shareScreens,
};

/** Every screen: those above, and each other page of tests/support/app/pages.ts as its readers see it. */
export const screens: typeof groups = { ...groups, "all other pages": plainScreens };

function plainScreens(cast: ScreenAccounts): Screen[] {
  const shown = Object.values(groups).flatMap((list) => list(cast).map(({ path }) => path.replace(/[?#].*$/, "")));
  const unseen = listPageRoutes().filter((route) => !shown.some((path) => matchesRoute(route, path)));
  return unseen.flatMap((route): Screen[] => {
    const [address, page] = Object.entries(pages).find(([one]) => matchesRoute(route, one)) ?? [];
    if (!address || !page) return [];
    if ("title" in page) return [{ name: address, as: "visitor", path: address }];
    if (page.access === "some") return [];
    const path = fillParameters(route, { card: cast.people.full.card });
    return [{ name: route.path, as: page.access === "owner" ? "full" : "operator", path }];
  });
}

function siteScreens(): Screen[] {
  return [
    { name: "the landing page", as: "visitor", path: "/" },
    { name: "the landing page of a member", as: "fresh", path: "/" },
    { name: "the first screen alone", as: "visitor", path: "/?screen=hero&theme=emerald" },
    { name: "the card alone", as: "visitor", path: "/?screen=card" },
    { name: "the phone alone", as: "visitor", path: "/?screen=phone&theme=indigo" },
    { name: "the menu", as: "visitor", path: "/", prepare: openMenu },
    { name: "the choice of a theme", as: "visitor", path: "/credits", prepare: openThemes },
    { name: "the banner of a visitor", as: "visitor", path: "/credits", prepare: waitForBanner },
    { name: "the banner of a member", as: "fresh", path: "/account", prepare: waitForBanner },
    { name: "the plans", as: "visitor", path: "/pricing" },
    { name: "the plans by the year", as: "visitor", path: "/pricing?period=yearly" },
    { name: "the plans of a member", as: "fresh", path: "/pricing" },
    { name: "a toast", as: "visitor", path: "/pricing", isAlone: true, prepare: requestPremium },
    { name: "the credits", as: "visitor", path: "/credits" },
  ];
}

function signInScreens({ resetPath, confirmPath, signInPath }: ScreenAccounts): Screen[] {
  return [
    { name: "Login", as: "visitor", path: "/auth" },
    { name: "Sign Up", as: "visitor", path: "/auth?tab=signup" },
    { name: "Sign Up for Premium", as: "visitor", path: "/signup?tier=premium" },
    {
      name: "a refused login",
      as: "visitor",
      path: "/auth",
      prepare: submitForm({ Email: "a@example.com", Password: "wrong" }, "Login"),
    },
    {
      name: "a refused sign-up",
      as: "visitor",
      path: "/auth?tab=signup",
      prepare: submitForm({ Email: "a@example", Password: "password" }, "Sign Up"),
    },
    {
      name: "a password that is shown",
      as: "visitor",
      path: "/auth?tab=signup",
      prepare: async (page) => {
        await page.getByLabel("Password").fill(password);
        await page.getByRole("button", { name: "Show password" }).click();
      },
    },
    {
      name: "check your email",
      as: "visitor",
      path: "/auth?tab=signup",
      isAlone: true,
      prepare: submitForm({ Email: "bo@example.com", Password: password }, "Sign Up"),
    },
    {
      name: "a login before the mail was read",
      as: "visitor",
      path: "/auth?tab=signup",
      isAlone: true,
      prepare: async (page) => {
        await submitForm({ Email: "eva@example.com", Password: password }, "Sign Up")(page);
        await page.goto("/auth");
        await submitForm({ Email: "eva@example.com", Password: password }, "Login")(page);
      },
    },
    { name: "a sign-in code", as: "visitor", path: "/auth", prepare: requestCode },
    {
      name: "a wrong sign-in code",
      as: "visitor",
      path: "/auth",
      prepare: async (page) => {
        await requestCode(page);
        await submitForm({ "6-digit code": "12345" }, "Sign in")(page);
      },
    },
    { name: "a sign-in link for another browser", as: "visitor", path: signInPath },
    { name: "a sign-in link that is over", as: "visitor", path: "/auth/link?token=over" },
    { name: "Forgot your password", as: "visitor", path: "/forgot-password" },
    {
      name: "a reset refused",
      as: "visitor",
      path: "/forgot-password",
      prepare: submitForm({ Email: "a@example" }, "Send Reset Link"),
    },
    {
      name: "a reset link sent",
      as: "visitor",
      path: "/forgot-password",
      prepare: submitForm({ Email: "a@example.com" }, "Send Reset Link"),
    },
    { name: "a new password", as: "visitor", path: resetPath, prepare: keepToastOpen },
    {
      name: "two new passwords that differ",
      as: "visitor",
      path: resetPath,
      prepare: async (page) => {
        await submitForm({ "New password": password, "Confirm password": "tea with Ada" }, "Set New Password")(page);
        await keepToastOpen(page);
      },
    },
    { name: "a reset link that is over", as: "visitor", path: "/reset-password?token=over" },
    { name: "a confirmation link in another browser", as: "visitor", path: confirmPath },
    {
      name: "a confirmation without a password",
      as: "visitor",
      path: confirmPath,
      prepare: submitForm({}, "Confirm and sign in"),
    },
    { name: "a confirmation link that is cut off", as: "visitor", path: "/auth?link=broken" },
    { name: "the mail box", as: "visitor", path: "/dev/mail" },
    {
      name: "a mail",
      as: "visitor",
      path: "/dev/mail",
      prepare: (page) => waitForLoad(page, () => page.locator("main li a").first().click()),
    },
    { name: "a missing email", as: "visitor", path: "/dev/mail/none.eml" },
  ];
}

function ownerScreens({ people }: ScreenAccounts): Screen[] {
  const own = `/u/${people.full.id}`;
  return [
    { name: "the own profile", as: "full", path: own },
    { name: "the own empty profile", as: "fresh", path: `/u/${people.fresh.id}` },
    { name: "the own card", as: "full", path: `/card/${people.full.card}` },
    { name: "the own card from right to left", as: "rtl", path: `/card/${people.rtl.card}` },
    { name: "the card dialog", as: "full", path: own, prepare: openCard },
    {
      name: "the code in the card dialog",
      as: "full",
      path: own,
      prepare: async (page) => {
        await openCard(page);
        await page.getByRole("button", { name: "QR", exact: true }).click();
      },
    },
    { name: "Edit Details", as: "full", path: own, prepare: openDetails },
    { name: "Edit Details from right to left", as: "rtl", path: `/u/${people.rtl.id}`, prepare: openDetails },
    { name: "Edit Details, refused", as: "full", path: own, prepare: refuseDetails },
    { name: "another owner's profile", as: "full", path: "/u/demo-user" },
    { name: "another owner's card", as: "full", path: "/card/demo-card" },
    { name: "a page that is not there, signed in", as: "full", path: "/no/such/page" },
    { name: "a crash, signed in", as: "unlucky", path: `/cards/edit/${people.unlucky.card}`, isCrash: true },
  ];
}

async function openMenu(page: Page) {
  // On a wide screen the links are in the header.
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
}

async function openThemes(page: Page) {
  const button = page.getByRole("button", { name: "Theme" });
  // On a phone the choice is in the menu.
  if (await button.isVisible()) await button.click();
  else await openMenu(page);
}

/** Without an account it redirects to the login page with a toast. The button is hidden while Premium can't be bought. */
async function requestPremium(page: Page) {
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/pricing/checkout";
    form.innerHTML = '<input name="period" value="monthly">';
    document.body.append(form);
    form.submit();
  });
  await keepToastOpen(page);
}

async function waitForBanner(page: Page) {
  // The banner appears after scrolling, on narrow screens only.
  await page.evaluate(() => scrollTo(0, innerHeight * 1.5));
  if ((page.viewportSize()?.width ?? 0) < 768) await page.getByRole("button", { name: "Dismiss" }).waitFor();
}

async function openCard(page: Page) {
  await page.getByRole("button", { name: /^View Card/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Save" }).waitFor();
}

async function openDetails(page: Page) {
  await openCard(page);
  await page.getByRole("radio", { name: "Edit Details" }).check();
}

async function refuseDetails(page: Page) {
  await openDetails(page);
  await page.getByLabel("Email Address").fill("nobody");
  await page.getByRole("button", { name: "Save Details" }).click();
  await page.getByText("Invalid email").waitFor();
}

/** Each address gets five emails an hour. */
async function requestCode(page: Page) {
  await page.getByLabel("Email", { exact: true }).fill(`${crypto.randomUUID()}@example.com`);
  await page.getByRole("button", { name: "Email me a sign-in link" }).click();
  await page.waitForURL("**/auth/code");
}

/** Fills in a form and submits it to the server. */
function submitForm(fields: Record<string, string>, button: string) {
  return async (page: Page) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    // The page isn't loaded again: its script shows the response.
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: button, exact: true }).click();
    await (await answer).finished();
    await page.locator("main [aria-disabled]").waitFor({ state: "detached" });
  };
}
