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
import { both, fillIn, press, screensOf } from "./visit.ts";
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
    ...screensOf("visitor", [
      ["the landing page", "/"],
      ["the first screen alone", "/?screen=hero&theme=emerald"],
      ["the phone alone", "/?screen=phone&theme=indigo"],
      ["the menu", "/", openMenu],
      ["the choice of a theme", "/credits", openThemes],
      ["the banner of a visitor", "/credits", waitForBanner],
      ["the plans", "/pricing"],
      ["the credits", "/credits"],
    ]),
    ...screensOf("fresh", [
      ["the landing page of a member", "/"],
      ["the banner of a member", "/account", waitForBanner],
      ["the plans of a member", "/pricing"],
    ]),
    ...screensOf("visitor", [["a toast", "/pricing", requestPremium]], { isAlone: true }),
  ];
}

function signInScreens({ resetPath, confirmPath, signInPath }: ScreenAccounts): Screen[] {
  const signUp = "/auth?tab=signup";
  const newPasswords = { "New password": password, "Confirm password": "tea with Ada" };
  const eva = { Email: "eva@example.com", Password: password };
  const logInEarly = async (page: Page) => {
    await submitForm(eva, "Sign Up")(page);
    await page.goto("/auth");
    await submitForm(eva, "Sign in")(page);
  };
  const openMail = (page: Page) => waitForLoad(page, () => page.locator("main li a").first().click());
  return [
    ...screensOf("visitor", [
      ["Login", "/auth"],
      ["Sign Up", signUp],
      ["Sign Up for Premium", "/signup?tier=premium"],
      ["a refused login", "/auth", submitForm({ Email: "a@example.com", Password: "wrong" }, "Sign in")],
      ["a refused sign-up", signUp, submitForm({ Email: "a@example", Password: "password" }, "Sign Up")],
      ["a password that is shown", signUp, fillIn({ Password: password }, "Show password")],
      ["a sign-in code", "/auth", requestCode],
      ["a wrong sign-in code", "/auth", both(requestCode, submitForm({ "6-digit code": "12345" }, "Sign in"))],
      ["a sign-in link for another browser", signInPath],
      ["a sign-in link that is over", "/auth/link?token=over"],
      ["Forgot your password", "/forgot-password"],
      ["a reset refused", "/forgot-password", submitForm({ Email: "a@example" }, "Send Reset Link")],
      ["a reset link sent", "/forgot-password", submitForm({ Email: "a@example.com" }, "Send Reset Link")],
      ["a new password", resetPath, keepToastOpen],
      ["new passwords that differ", resetPath, both(submitForm(newPasswords, "Set New Password"), keepToastOpen)],
      ["a reset link that is over", "/reset-password?token=over"],
      ["a confirmation link in another browser", confirmPath],
      ["a confirmation without a password", confirmPath, submitForm({}, "Confirm and sign in")],
      ["an invitation that no longer works", "/auth/invitation?token=none"],
      ["a confirmation link that is cut off", "/auth?link=broken"],
      ["the mail box", "/dev/mail"],
      ["a mail", "/dev/mail", openMail],
      ["a missing email", "/dev/mail/none.eml"],
    ]),
    ...screensOf(
      "visitor",
      [
        ["check your email", signUp, submitForm({ Email: "bo@example.com", Password: password }, "Sign Up")],
        ["a login before the mail was read", signUp, logInEarly],
      ],
      { isAlone: true },
    ),
  ];
}

function ownerScreens({ people }: ScreenAccounts): Screen[] {
  const own = `/u/${people.full.id}`;
  return [
    ...screensOf("full", [
      ["the own profile", own],
      ["the own card", `/card/${people.full.card}`],
      ["the card dialog", own, openCard],
      ["the code in the card dialog", own, both(openCard, press("QR"))],
      ["Edit Details", own, openDetails],
      ["Edit Details, refused", own, refuseDetails],
      ["another owner's profile", "/u/demo-user"],
      ["another owner's card", "/card/demo-card"],
      ["a page that is not there, signed in", "/no/such/page"],
    ]),
    ...screensOf("fresh", [["the own empty profile", `/u/${people.fresh.id}`]]),
    ...screensOf("rtl", [
      ["the own card from right to left", `/card/${people.rtl.card}`],
      ["Edit Details from right to left", `/u/${people.rtl.id}`, openDetails],
    ]),
    ...screensOf("unlucky", [["a crash, signed in", `/cards/edit/${people.unlucky.card}`]], { isCrash: true }),
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
  await press("Save Details", "Invalid email")(page);
}

/** Each address gets five emails an hour. */
async function requestCode(page: Page) {
  await fillIn({ Email: `${crypto.randomUUID()}@example.com` }, "Email me a sign-in link")(page);
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
