import type { BrowserContextOptions, Page } from "playwright-core";

import { hydrated, loadBy } from "./browser.ts";
import type { Site, Tab } from "./browser.ts";
import type { Cast } from "./cast.ts";
import { contentScreens } from "./content-screens.ts";
import { landingScreens } from "./landing-screens.ts";
import { holdToast, memberScreens } from "./member-screens.ts";
import { password } from "./members.ts";
import { editorScreens, shareScreens } from "./owner-screens.ts";

/** A state of the product that can be looked at. */
export type Screen = {
  name: string;
  as: keyof Cast["people"] | "visitor";
  path: string;
  /** From the opened page to the state. */
  lead?: (page: Page) => Promise<unknown>;
  /** Leaves a message for the next page of its browser, whichever that is: so it has one of its own. */
  isAlone?: true;
  /** The server answers 500. */
  isCrash?: true;
};

/** `requests`: the addresses of all that was asked for since the screen was opened. */
export type Look = (page: Page, screen: Screen, requests: readonly string[]) => Promise<void>;

/** Opens the screens on the given device, where nothing moves, and has a look at each; two at a time. */
export async function walk(site: Site, { list, cast, device }: Walk, look: Look) {
  const browsers = new Map<string, Promise<Tab>>();
  const browserOf = (screen: Screen) => {
    const known = (!screen.isAlone && browsers.get(screen.as)) || openFor(screen);
    if (!screen.isAlone) browsers.set(screen.as, known);
    return known;
  };
  const openFor = (screen: Screen) => site.open({ reducedMotion: "reduce", ...device, ...sessionOf(screen, cast) });
  const waiting = list.values();
  const goThrough = async () => {
    for (const screen of waiting) {
      const { page, requests, complaints } = await site.openBeside(await browserOf(screen));
      await page.goto(screen.path);
      await settled(page);
      await screen.lead?.(page);
      await settled(page);
      await look(page, screen, requests);
      await page.close();
      if (screen.isCrash) expectCrash(complaints);
    }
  };
  await Promise.all([goThrough(), goThrough()]);
}

/** The page is there, and its script has taken it over if it has one. */
async function settled(page: Page) {
  await page.waitForLoadState();
  if (await page.locator(scripts).count()) await hydrated(page);
}

/** Those of ours that take a page over: at once, when the browser is idle, or under way since it was. */
const scripts = "script[data-later], script[type=module][nonce], head > script[type=module]";

type Walk = { list: Screen[]; cast: Cast; device: BrowserContextOptions };

/** A browser notes the answer 500 as an error of the page. Here it is none. */
function expectCrash(complaints: string[]) {
  const noted = complaints.findIndex((text) => text.includes("responded with a status of 500"));
  if (noted < 0) throw new Error("The server did not answer 500");
  complaints.splice(noted, 1);
}

function sessionOf({ as }: Screen, { people }: Cast): BrowserContextOptions {
  return as === "visitor" ? {} : { storageState: people[as].state };
}

/** Every screen there is, in each of its states that looks different. */
export const screens: Record<string, (cast: Cast) => Screen[]> = {
  "the site": siteScreens,
  "the landing page": landingScreens,
  "the pages to read": contentScreens,
  "the account pages": accountScreens,
  "a visitor's pages": visitorScreens,
  "an owner's pages": ownerScreens,
  "a member's account": memberScreens,
  "the editors": editorScreens,
  "the pages to share from": shareScreens,
};

function siteScreens(): Screen[] {
  return [
    { name: "the landing page", as: "visitor", path: "/" },
    { name: "the landing page of a member", as: "fresh", path: "/" },
    { name: "the first screen alone", as: "visitor", path: "/?screen=hero&theme=emerald" },
    { name: "the card alone", as: "visitor", path: "/?screen=card" },
    { name: "the phone alone", as: "visitor", path: "/?screen=phone&theme=indigo" },
    { name: "the menu", as: "visitor", path: "/", lead: openMenu },
    { name: "the choice of a theme", as: "visitor", path: "/credits", lead: openThemes },
    { name: "the banner of a visitor", as: "visitor", path: "/credits", lead: waitForBanner },
    { name: "the banner of a member", as: "fresh", path: "/account", lead: waitForBanner },
    { name: "the plans", as: "visitor", path: "/pricing" },
    { name: "the plans by the year", as: "visitor", path: "/pricing?period=yearly" },
    { name: "the plans of a member", as: "fresh", path: "/pricing" },
    { name: "a toast", as: "visitor", path: "/pricing", isAlone: true, lead: askForPremium },
    { name: "a canceled checkout", as: "visitor", path: "/cancel" },
    { name: "the status", as: "visitor", path: "/status" },
    { name: "the credits", as: "visitor", path: "/credits" },
  ];
}

function accountScreens({ resetPath }: Cast): Screen[] {
  return [
    { name: "Login", as: "visitor", path: "/auth" },
    { name: "Sign Up", as: "visitor", path: "/auth?tab=signup" },
    { name: "Sign Up for Premium", as: "visitor", path: "/signup?tier=premium" },
    {
      name: "a refused login",
      as: "visitor",
      path: "/auth",
      lead: send({ Email: "a@example.com", Password: "wrong" }, "Login"),
    },
    {
      name: "a refused sign-up",
      as: "visitor",
      path: "/auth?tab=signup",
      lead: send({ Email: "a@example", Password: "password" }, "Sign Up"),
    },
    {
      name: "check your email",
      as: "visitor",
      path: "/auth?tab=signup",
      lead: send({ Email: "bo@example.com", Password: password }, "Sign Up"),
    },
    {
      name: "a login before the mail was read",
      as: "visitor",
      path: "/auth?tab=signup",
      lead: async (page) => {
        await send({ Email: "eva@example.com", Password: password }, "Sign Up")(page);
        await page.goto("/auth");
        await send({ Email: "eva@example.com", Password: password }, "Login")(page);
      },
    },
    { name: "the auth demo", as: "visitor", path: "/auth/demo" },
    { name: "Forgot your password", as: "visitor", path: "/forgot-password" },
    {
      name: "a reset refused",
      as: "visitor",
      path: "/forgot-password",
      lead: send({ Email: "a@example" }, "Send Reset Link"),
    },
    {
      name: "a reset link sent",
      as: "visitor",
      path: "/forgot-password",
      lead: send({ Email: "a@example.com" }, "Send Reset Link"),
    },
    { name: "a new password", as: "visitor", path: resetPath },
    {
      name: "two new passwords that differ",
      as: "visitor",
      path: resetPath,
      lead: send({ "New password": password, "Confirm password": "tea with Ada" }, "Set New Password"),
    },
    { name: "a reset link that is over", as: "visitor", path: "/reset-password?token=over" },
    { name: "a confirmation link that is cut off", as: "visitor", path: "/auth?link=broken" },
    { name: "the mail box", as: "visitor", path: "/dev/mail" },
    {
      name: "a mail",
      as: "visitor",
      path: "/dev/mail",
      lead: (page) => loadBy(page, () => page.locator("main li a").first().click()),
    },
    { name: "a mail that is not there", as: "visitor", path: "/dev/mail/none.eml" },
  ];
}

/** What people see who only follow a link or scan a code. */
function visitorScreens({ people }: Cast): Screen[] {
  const long = people.full.id;
  return [
    { name: "the sample profile", as: "visitor", path: "/u/demo-user" },
    {
      name: "the sample profile, Personal",
      as: "visitor",
      path: "/u/demo-user",
      lead: (page) => page.getByRole("radio", { name: "Personal" }).check(),
    },
    { name: "the code of the sample profile", as: "visitor", path: "/u/demo-user", lead: press("QR Code") },
    { name: "the ways to share the sample profile", as: "visitor", path: "/u/demo-user", lead: press("Share") },
    { name: "the sample card", as: "visitor", path: "/card/demo-card" },
    { name: "the code of the sample card", as: "visitor", path: "/card/demo-card", lead: press("QR Code") },
    { name: "the ways to share the sample card", as: "visitor", path: "/card/demo-card", lead: press("Share") },
    { name: "a profile as full as it gets", as: "visitor", path: `/u/${long}` },
    { name: "the ways to share a long address", as: "visitor", path: `/u/${long}`, lead: press("Share") },
    { name: "a card as full as it gets", as: "visitor", path: `/card/${people.full.card}` },
    { name: "a profile from right to left", as: "visitor", path: `/u/${people.rtl.id}` },
    { name: "a card from right to left", as: "visitor", path: `/card/${people.rtl.card}` },
    { name: "an empty profile", as: "visitor", path: `/u/${people.fresh.id}` },
    { name: "a resume that is not there", as: "visitor", path: "/u/demo-user/resume" },
    { name: "a page that is not there", as: "visitor", path: "/no/such/page" },
    { name: "a profile that is not there", as: "visitor", path: "/u/nobody" },
    { name: "a card that is not there", as: "visitor", path: "/card/none" },
    { name: "a crash", as: "visitor", path: `/card/${people.unlucky.card}`, isCrash: true },
  ];
}

function ownerScreens({ people }: Cast): Screen[] {
  const own = `/u/${people.full.id}`;
  return [
    { name: "the own profile", as: "full", path: own },
    { name: "the own empty profile", as: "fresh", path: `/u/${people.fresh.id}` },
    { name: "the card dialog", as: "full", path: own, lead: openCard },
    {
      name: "the code in the card dialog",
      as: "full",
      path: own,
      lead: async (page) => {
        await openCard(page);
        await page.getByRole("button", { name: "QR", exact: true }).click();
      },
    },
    { name: "Edit Details", as: "full", path: own, lead: openDetails },
    { name: "Edit Details from right to left", as: "rtl", path: `/u/${people.rtl.id}`, lead: openDetails },
    { name: "Edit Details, refused", as: "full", path: own, lead: refuseDetails },
    { name: "somebody else's profile", as: "full", path: "/u/demo-user" },
    { name: "somebody else's card", as: "full", path: "/card/demo-card" },
    { name: "a page that is not there, signed in", as: "full", path: "/no/such/page" },
    { name: "a crash, signed in", as: "unlucky", path: `/cards/edit/${people.unlucky.card}`, isCrash: true },
  ];
}

async function openMenu(page: Page) {
  // On a wide screen there is none: its links are in the header.
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
}

async function openThemes(page: Page) {
  const button = page.getByRole("button", { name: "Theme" });
  // On a phone the choice is in the menu.
  if (await button.isVisible()) await button.click();
  else await openMenu(page);
}

/** Asked without an account it leads to the login page, with a word why. Its button is not there while Premium can't be paid. */
async function askForPremium(page: Page) {
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.innerHTML = '<input name="intent" value="subscribe">';
    document.body.append(form);
    form.submit();
  });
  await holdToast(page);
}

async function waitForBanner(page: Page) {
  // It is for whoever has read on. Wider screens have none.
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

function press(name: string) {
  return (page: Page) => page.getByRole("button", { name, exact: true }).click();
}

/** Fills in a form that the server is to answer, and sends it. */
function send(fields: Record<string, string>, button: string) {
  return async (page: Page) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await loadBy(page, () => page.getByRole("button", { name: button }).click());
  };
}
