import { readFileSync } from "node:fs";

import { connectionOfferCookie } from "#app/features/account/settings/social/offer-data.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Site } from "#tests/support/browser/site.ts";
import { waitForMailLink, makeCard, saveProfile, signUp, turnOnTwoStep } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { addFailedJobs, blockAccount, makeOperator } from "#tests/support/admin/operator-rows.ts";
import {
  addPasskey,
  addSession,
  connectAccounts,
  corruptCard,
  extendProofs,
  extendSignInLinks,
  insertExport,
  insertIdentityCode,
  insertInvoices,
  insertLeads,
  makePremium,
  markUnconfirmed,
  removePassword,
} from "#tests/support/program/database.ts";

import { insertAnalytics } from "#tests/support/program/analytics.ts";

import { insertApiKeys } from "./api-key-rows.ts";
import { mailedPaths, passLeadsOn, turnMailsOff } from "./leads/lead-accounts.ts";
import { insertWebhooks } from "./leads/webhook-rows.ts";

export type ScreenAccounts = Awaited<ReturnType<typeof createScreenAccounts>>;

/** 50 characters without a line break opportunity, the maximum length of a name. */
const longName = "Wolfeschlegelsteinhausenbergerdorffwelchevoralterns".slice(0, 50);
const longWord = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamter".slice(0, 60);

/**
 * The accounts whose screens are checked: a full profile, right-to-left text, a new account, Premium, an unconfirmed address, a
 * new address to confirm, and a corrupt card.
 */
export async function createScreenAccounts(site: Site) {
  const { program } = site;
  const context = await site.openForAll();
  const join = async (email: string, fill: () => Promise<string>) => {
    await context.clearCookies();
    const user = await signUp(context, program, email);
    return { ...user, card: await fill() };
  };
  const full = await join(`${"long".repeat(15)}@${"example".repeat(8)}.com`, () => fillAccount(site, context));
  const rtl = await join("layla@example.com", () => fillRightToLeftAccount(site, context));
  const fresh = await join("fresh@example.com", async () => "");
  const premium = await join("premium@example.com", async () => "");
  makePremium(program, premium.id);
  const ownColor = { accent: "own", accent_color: "#ffcc00", layout: "centered", paper: "dark" };
  premium.card = await makeCard(context, program, { company: "Engines", email: "ada@example.com", ...ownColor });
  const leadForm = {
    is_on: "on",
    version: "0",
    months: "24",
    has_newsletter: "on",
    booking_url: "https://example.com/book",
    "question-0-label": longName,
    "question-1-label": "Which team?",
    "question-1-kind": "choice",
    "question-1-options": `Sales\n${longWord}`,
  };
  await context.request.post(`/cards/${premium.card}/leads`, { form: leadForm, headers: { origin: site.url } });
  const kioskPath = await createKioskLink(site, context, premium.card);
  await passLeadsOn(site, context, premium.id);
  turnMailsOff(site, rtl.id);
  insertAnalytics(program, { ownerId: premium.id, card: premium.card, days: 120 });
  const unconfirmed = await join(`${"unconfirmed".repeat(5)}@example.com`, async () => "");
  markUnconfirmed(program, unconfirmed.id);
  const unlucky = await join("unlucky@example.com", () => makeCard(context, program, {}));
  corruptCard(program, unlucky.card);
  const operators = await createOperators(site, join);
  const started = await join("started@example.com", () => startCard(site, context));
  insertInvoices(program, premium.id);
  insertInvoices(program, unlucky.id, "unknown");
  insertLeads(program, { ownerId: full.id, cardId: full.card });
  insertWebhooks(program, full.id);
  insertApiKeys(program, full.id);
  insertExport(program, premium.id, "ready");
  insertExport(program, unlucky.id, "failed");
  insertExport(program, started.id, "running");
  const changes = await createEmailChanges(site, context, join);
  const passwordless = await join("passwordless@example.com", async () => "");
  const coded = await join("coded@example.com", async () => "");
  for (const { id } of [passwordless, coded]) removePassword(program, id);
  insertIdentityCode(program, coded.id);
  await context.clearCookies();
  await context.request.post("/forgot-password", { form: { email: rtl.email }, headers: { origin: site.url } });
  const reset = await waitForMailLink(context, { url: site.url, to: rtl.email });
  const signUpForm = { intent: "sign-up", email: `${"newcomer".repeat(6)}@example.com`, password: seededPassword };
  await context.request.post("/auth?tab=signup", { form: signUpForm, headers: { origin: site.url } });
  const confirmation = await waitForMailLink(context, { url: site.url, to: signUpForm.email });
  await context.clearCookies();
  const signInForm = { intent: "email-sign-in", email: full.email };
  await context.request.post("/auth", { form: signInForm, headers: { origin: site.url } });
  const signIn = await waitForMailLink(context, { url: site.url, to: full.email });
  extendSignInLinks(program);
  const guarded = await join("guarded@example.com", async () => "");
  await turnOnTwoStep(context, { url: site.url, email: guarded.email });
  addPasskey(program, guarded.id);
  addSession(program, guarded.id);
  guarded.state = await context.storageState();
  const linked = await join("linked@example.com", async () => "");
  connectAccounts(program, linked.id);
  await context.close();
  extendProofs(program);
  const users = { linked, full, rtl, fresh, premium, unconfirmed, unlucky, started, guarded, passwordless, coded };
  return {
    people: { ...users, changing: changes.changing, ...operators },
    offerCookie: offerTo(site, linked.id),
    kioskPath,
    mailed: mailedPaths(signerOf(site), users),
    resetPath: reset.slice(site.url.length),
    changePath: changes.changePath,
    undoPath: changes.undoPath,
    signInPath: signIn.slice(site.url.length),
    confirmPath: confirmation.slice(site.url.length),
  };
}

type AccountContext = Awaited<ReturnType<Site["openForAll"]>>;

type Join = (
  email: string,
  fill: () => Promise<string>,
) => Promise<{ id: string; email: string; state: Awaited<ReturnType<typeof signUp>>["state"]; card: string }>;

/** The path of a kiosk link of the card. */
async function createKioskLink({ url }: Site, context: AccountContext, card: string): Promise<string> {
  const options = { form: { intent: "create", name: "Tablet at the booth" }, headers: { origin: url } };
  const page = await (await context.request.post(`/cards/${card}/kiosk`, options)).text();
  return /\/kiosk\/[\w-]{43}/.exec(page)?.[0] ?? "";
}

/** An account with a new address to confirm, and one whose address was changed. */
async function createEmailChanges({ url }: Site, context: AccountContext, join: Join) {
  /** Returns the path of the link in the mail to the new address. */
  const requestChange = async (email: string) => {
    const form = { intent: "change-email", email, current: seededPassword };
    await context.request.post("/account", { form, headers: { origin: url } });
    return (await waitForMailLink(context, { url, to: email })).slice(url.length);
  };
  const moved = await join("moved@example.com", async () => "");
  await context.request.post(await requestChange("moved.away@example.com"), { form: {}, headers: { origin: url } });
  const undoPath = (await waitForMailLink(context, { url, to: moved.email })).slice(url.length);
  const changing = await join("changing@example.com", async () => "");
  const changePath = await requestChange(`${"countess".repeat(6)}@example.com`);
  // The request is a proof, which gives the session a new token.
  return { changing: { ...changing, state: await context.storageState() }, changePath, undoPath };
}

/** An operator, one without a second factor, and an account that was blocked. */
async function createOperators({ program }: Site, join: Join) {
  const operator = await join("operator@example.com", async () => "");
  makeOperator(program, operator.id);
  addFailedJobs(program);
  const waiting = await join("second@example.com", async () => "");
  const blocked = await join("blocked@example.com", async () => "");
  const reason = "Sends spam to thousands of addresses";
  blockAccount(program, { ownerId: blocked.id, adminId: operator.id, reason });
  return { operator, waiting, blocked };
}

/** The cookie with what a GitHub account is good for, as the longest that GitHub allows. */
function offerTo(site: Site, userId: string) {
  const { url } = site;
  const profileUrl = `https://github.com/${"ada-".repeat(9)}ada`;
  const identity = { name: longName, picture: "https://avatars.githubusercontent.com/u/583231?v=4", profileUrl };
  const deps = { config: { baseUrl: url } as Services["config"], sign: signerOf(site) };
  const [pair = ""] = connectionOfferCookie(deps, { userId, provider: "github", identity }).split(";");
  const [name = "", value = ""] = pair.split("=");
  return { name, value, url };
}

function signerOf({ program }: Site) {
  const { auth: secret } = JSON.parse(readFileSync(`${program.dataDir}/secrets.json`, "utf8"));
  return createTextSigner(secret);
}

/** A card made in the first of the three steps. */
async function startCard({ url }: Site, context: AccountContext): Promise<string> {
  const form = { displayName: longName, handle: "", suggestion: "", seed: "", intent: "finish" };
  await context.request.post("/start/name", { form, headers: { origin: url } });
  return "";
}

/** A profile and a card with as much text as there can be. Returns the card. */
export async function fillAccount({ program }: Site, context: AccountContext): Promise<string> {
  const links = Array.from({ length: 8 }, (_, index) => ({
    label: index % 2 ? `portfolio${index}${longWord}`.slice(0, 60) : `Band ${index}`,
    url: `https://${"sub".repeat(15)}.example.com/${"path".repeat(20)}/${index}`,
    isOff: index === 6,
  }));
  await saveProfile(context, program, { displayName: longName, bio: `${longWord} `.repeat(2).trim(), links });
  return makeCard(context, program, {
    card_name: longWord,
    email: `${"long".repeat(15)}@${"example".repeat(8)}.com`,
    phone: "+49 (0) 123 4567890123 ext. 1234567",
    profession: longWord,
    company: longWord,
    position: longWord,
    years_experience: "100",
    links: links.map(({ label, url }) => ({ name: label, url })),
  });
}

async function fillRightToLeftAccount({ program }: Site, context: AccountContext): Promise<string> {
  const links = [
    { label: "معرض أعمالي portfolio", url: "https://example.com/layla" },
    { label: "انستغرام", url: "https://www.instagram.com/layla" },
  ];
  const displayName = "ليلى الحسن";
  await saveProfile(context, program, { displayName, bio: "مصممة منتجات. أصنع أشياء صغيرة.", theme: "ocean", links });
  return makeCard(context, program, {
    card_name: "بطاقتي",
    email: "layla@example.com",
    phone: "+962 6 555 0100",
    profession: "مصممة",
    company: "استوديو المثال",
    accent: "emerald",
    layout: "cover",
    links: links.map(({ label, url }) => ({ name: label, url })),
  });
}
