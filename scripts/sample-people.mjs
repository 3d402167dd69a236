/** Creates the sample people of the landing page's screenshots through the product's own forms. */
import sharp from "sharp";

import { defaultOptions } from "../app/features/avatar/rules.ts";
import { makeCard, saveProfile, signUp } from "../tests/support/browser/users.ts";
import { resumePdf } from "../tests/support/fixtures/images.ts";

/** Returns the id, the card's id, the path of a kiosk and the session cookies of each of them, as example.com would set the cookies. */
export async function makePeople(browser, program) {
  const people = {};
  for (const [name, words] of Object.entries(samples))
    people[name] = await makePerson(browser, program, { name, ...words });
  return people;
}

async function makePerson(browser, program, { name, profile, card, avatar, more }) {
  const context = await browser.newContext({ baseURL: program.url, viewport: { width: 1280, height: 900 } });
  const { id } = await signUp(context, program, `${name}@example.com`);
  await saveProfile(context, program, profile);
  const made = await makeCard(context, program, { phone: "+1 555 0100", ...card });
  const page = await context.newPage();
  await addAvatar(page, avatar);
  const kiosk = await more?.(page, made);
  const { cookies } = await context.storageState();
  await context.close();
  return {
    id: profile.handle ?? id,
    card: made,
    kiosk,
    cookies: cookies.map((cookie) => ({ ...cookie, domain: "example.com" })),
  };
}

const linkedin = { label: "LinkedIn", url: "https://www.linkedin.com/in/demo" };
const named = (links) => links.map(({ label, url }) => ({ name: label, url }));
const call = { label: "Book a call", url: "https://cal.com/demo" };

const samples = {
  freelancer: {
    profile: {
      displayName: "Maya Lindqvist",
      handle: "maya-lindqvist",
      bio: "Product designer at Northlight Studio. I make small things that people keep using.",
      links: [
        { label: "Portfolio", url: "https://example.com/portfolio" },
        linkedin,
        { label: "GitHub", url: "https://github.com/demo" },
        { label: "Instagram", url: "https://www.instagram.com/demo" },
        { label: "What I listen to", url: "https://open.spotify.com/playlist/demo" },
      ],
    },
    card: {
      profession: "Product designer",
      company: "Northlight Studio",
      email: "maya@example.com",
      links: named([call, { label: "Portfolio", url: "https://example.com/portfolio" }]),
    },
    avatar: { seed: "maya" },
    more: addResume,
  },
  recruiter: {
    profile: {
      displayName: "Daniel Okafor",
      handle: "daniel-okafor",
      bio: "Talent partner at Brightside Talent. I introduce people to teams that need them.",
      theme: "ocean",
      links: [
        linkedin,
        { label: "Portfolio of open roles", url: "https://example.com/roles" },
        { label: "Resume tips", url: "https://example.com/resume-tips" },
        call,
      ],
    },
    card: {
      profession: "Talent partner",
      company: "Brightside Talent",
      email: "daniel@example.com",
      links: named([linkedin, call]),
    },
    avatar: { seed: "daniel" },
    more: collectContacts,
  },
  seller: {
    profile: {
      displayName: "Sofia Reyes",
      handle: "sofia-reyes",
      bio: "Account executive at Harborline Tools. I look after our customers in the north.",
      theme: "minimal",
      links: [linkedin, call],
    },
    card: {
      profession: "Account executive",
      company: "Harborline Tools",
      email: "sofia@example.com",
      links: named([call, linkedin]),
    },
    avatar: { seed: "sofia", hair: ["long"], hairColor: ["362c47"], eyes: ["open"], facialHairProbability: 0 },
    more: addLogo,
  },
};

async function addResume(page) {
  await page.goto("/profile", { waitUntil: "networkidle" });
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByLabel("Choose a resume").setInputFiles(await resumePdf("maya-lindqvist-resume.pdf"));
  await page.getByText("Resume uploaded successfully").waitFor();
}

async function addAvatar(page, { seed, ...parts }) {
  const { origin } = new URL((await page.goto("/profile"))?.url() ?? "");
  const options = { ...defaultOptions(seed), backgroundColor: ["c9dcf2"], mouth: ["smile"], ...parts };
  const answer = await page.request.post("/avatar/save", {
    form: { options: JSON.stringify(options) },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}

async function addLogo(page, card) {
  await page.goto(`/cards/edit/${card}`, { waitUntil: "networkidle" });
  const buffer = await sharp(Buffer.from(logo)).png().toBuffer();
  await page.getByLabel("Choose a logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.locator('img[src*="/files/"], img[src^="/logo"], img[alt*="ogo"]').first().waitFor();
  await page.waitForTimeout(1500);
}

/** Turns the contact form on, sends it as some visitors, and returns the path of a kiosk. */
async function collectContacts(page, card) {
  const { origin } = new URL(page.url());
  const post = (path, form) => page.request.post(path, { form, headers: { origin } });
  await post(`/cards/${card}/leads`, { is_on: "on", version: "0", months: "24" });
  const device = await (await post(`/cards/${card}/kiosk`, { intent: "create", name: "Tablet" })).text();
  const visitors = await page.context().browser().newContext({ baseURL: origin });
  const visitor = await visitors.newPage();
  for (const [source, name, email, note] of visits) {
    await visitor.goto(`/card/${card}/connect?${source}`);
    await visitor.locator("[name=name]").fill(name);
    await visitor.locator("[name=email]").fill(email);
    await visitor.locator("[name=note]").fill(note);
    await visitor.locator("[name=consent-answer]").check();
    // Forms that are filled in too fast are taken for a program's.
    await visitor.waitForTimeout(4_000);
    await visitor.locator("main form button[type=submit]").first().click();
    await visitor.waitForURL(/thanks|connect/);
  }
  await visitors.close();
  return /\/kiosk\/[\w-]+/.exec(device)?.[0];
}

const visits = [
  ["q", "Priya Raman", "priya@example.com", "Backend engineer, looking from spring on"],
  ["n", "Tom Becker", "tom@example.com", "We talked about the data team"],
  ["q", "Amara Diallo", "amara@example.com", "Please send me the open roles"],
];

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="120" viewBox="0 0 120 40">
  <path d="M4 34V6h20l10 10v18z" fill="#23395d"/><path d="M24 6l10 10H24z" fill="#c9a24b"/></svg>`;
