import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { contentFolder } from "#tests/support/admin/operator-content.ts";
import { readElements, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

const imagesFolder = join(import.meta.dirname, "../../../app/features/marketing/landing/images");
const day = 86_400_000;

type LandingOptions = { env?: Record<string, string>; content?: object; clock?: () => number };

async function openLanding({ env = {}, content, clock }: LandingOptions = {}) {
  const own: Record<string, string> = content ? { DATA_DIR: contentFolder({ "site.json": content }) } : {};
  const app = await createTestApp({ env: { ...env, ...own }, ...(clock && { clock }) });
  const read = async (path: string) => (await app.visitor().get(path)).text();
  return { ...app, read, html: await read("/") };
}

/** The HTML of a section, "" without one. */
function sectionOf(html: string, id: string): string {
  const [, after] = html.split(`<section id="${id}"`);
  return after === undefined ? "" : `<section ${after.split(/<section id="|<section [^>]*closing-title/)[0]}`;
}

const wordsOf = (html: string, id: string) => visibleText(sectionOf(html, id));

const elementsOf = (html: string, wanted: string) => readElements(html).filter(({ tag }) => tag === wanted);

describe("the landing page", () => {
  test("has its sections in the specification's order, and says once what is not available", async () => {
    const { html } = await openLanding({ env: { DEMO: "on" } });
    const ids = "personas live-demo how-it-works integrations social-proof security pricing faq".split(" ");
    const found = elementsOf(html, "section").map(({ attributes }) => attributes["id"] ?? "");
    expect(found.filter((id) => ids.includes(id))).toEqual(ids);
    const absent = /not there yet|n’t available yet|\blater\b|not (?:yet )?on sale|can’t be bought|coming soon/gi;
    expect(visibleText(/<main[^]*<\/main>/.exec(html)?.[0] ?? "").match(absent)).toHaveLength(1);
  });

  test("ends with a link to sign-up, and one to the sample only where it exists", async () => {
    const closing = (html: string) =>
      html.slice(html.indexOf('aria-labelledby="closing-title"'), html.indexOf("</main>"));
    const withSample = closing((await openLanding({ env: { DEMO: "on" } })).html);
    for (const text of ['href="/auth?tab=signup"', "Get Started — Free", 'href="/card/demo-card"'])
      expect(withSample).toContain(text);
    expect(closing((await openLanding()).html)).not.toContain("demo-card");
  });

  test("shows small screenshots that load lazily and reserve their space", async () => {
    const { html } = await openLanding();
    const ids = ["personas", "how-it-works", "contacts", "integrations"];
    const images = ids.flatMap((id) => elementsOf(sectionOf(html, id), "img"));
    expect(images).toHaveLength(28);
    for (const { attributes } of images) {
      const size = expect.stringMatching(/^\d+$/);
      expect(attributes).toMatchObject({ loading: "lazy", width: size, height: size, alt: expect.any(String) });
    }
    for (const file of readdirSync(imagesFolder))
      expect(statSync(join(imagesFolder, file)).size, file).toBeLessThan(30_000);
  });

  test("explains itself without script: three personas, three steps, and questions that start closed", async () => {
    const { html } = await openLanding();
    const personas = sectionOf(html, "personas");
    expect([...personas.matchAll(/<input[^>]*>([^<]+)<\/label>/g)].map(([, name]) => name)).toEqual([
      "Freelancers",
      "Recruiters",
      "Sales Teams",
    ]);
    const tabs = elementsOf(personas, "input").map(({ attributes }) => attributes);
    expect(tabs).toMatchObject(Array.from({ length: 3 }, () => ({ type: "radio", name: "persona" })));
    expect(tabs.map(({ checked }) => checked)).toEqual(["", undefined, undefined]);
    // A story and four features each.
    expect(elementsOf(personas, "h3")).toHaveLength(15);
    // The header's link leads there.
    expect(html).toContain('href="/#features"');
    expect(html.slice(html.indexOf('id="features"'), html.indexOf('id="personas"'))).not.toMatch(/^$|<\/section>/);

    const steps = sectionOf(html, "how-it-works");
    for (const step of ["Create your card", "Add your links", "Share it anywhere"]) expect(steps).toContain(step);
    expect([elementsOf(steps, "details").length, elementsOf(steps, "summary").length]).toEqual([3, 3]);

    const questions = elementsOf(sectionOf(html, "faq"), "details").map(({ attributes }) => attributes);
    expect(questions.length).toBeGreaterThanOrEqual(7);
    // One at a time.
    expect(questions.filter(({ name, open }) => name !== "faq" || open !== undefined)).toEqual([]);
    expect(wordsOf(html, "faq")).toMatch(/Free includes 1 business card.*Premium includes unlimited business cards/);
    expect(wordsOf(html, "faq")).not.toMatch(/\bPro\b|\bBusiness\b/);
  });

  test("lists the integrations of today, names what is missing, and claims nothing that doesn't exist", async () => {
    const { html, read } = await openLanding();
    const today = wordsOf(html, "integrations");
    const missing = wordsOf(html, "faq").split("available yet?")[1] ?? "";
    for (const name of [
      "Contacts",
      "Booking pages",
      "NFC tags",
      "Printers",
      "Team chat",
      "HubSpot",
      "Mailchimp",
      "Webhooks",
    ])
      expect(today).toContain(name);
    // Only where the operator set them up.
    expect(today).not.toContain("Wallet");
    // Each leads to its guide, and logos say nothing that the text beside them doesn't.
    const section = sectionOf(html, "integrations");
    const guides = elementsOf(section, "a").map(({ attributes }) => attributes["href"] ?? "");
    const docs = elementsOf(await read("/docs"), "h2").map(({ attributes }) => `/docs#${attributes["id"]}`);
    expect(guides).toHaveLength(elementsOf(section, "dt").length);
    expect(guides.filter((guide) => !docs.includes(guide))).toEqual([]);
    const logos = elementsOf(section, "img").filter(({ attributes }) => attributes["src"]?.includes("#"));
    const drawn = readFileSync(join(imagesFolder, "integrations.svg"), "utf8");
    const views = [...drawn.matchAll(/<view id="(\w+)" viewBox="0 \d+ (\d+) 24"/g)];
    expect(logos.map(({ attributes: { src = "", width, alt } }) => [src.split("#")[1], width, alt])).toEqual(
      views.map(([, row, width]) => [row, width, ""]),
    );
    expect(missing).not.toContain("API");
    for (const word of ["a form for", "charts"]) expect(missing).not.toContain(word);
    const words = ["personas", "how-it-works", "integrations"].map((id) => wordsOf(html, id)).join(" ");
    expect(words).not.toMatch(/\b(Salesforce|Zapier|SSO|single sign-on)\b/i);
    expect(words).not.toMatch(/!|trusted by|\bteams love|\d+[,.]?\d* (users|customers|people)/i);
  });

  test("shows the plans with their monthly prices, which lead to sign-up and to the comparison", async () => {
    const { html } = await openLanding();
    const pricing = sectionOf(html, "pricing");
    for (const text of ["Free", "$0", "Premium", "$7.99", "$80", "Save ~17%", "2 months free on yearly"])
      expect(visibleText(pricing)).toContain(text);
    const links = elementsOf(pricing, "a").map(({ attributes }) => attributes["href"]);
    expect(links).toEqual(["/signup?tier=free", "/signup?tier=premium", "/pricing"]);
    const checked = elementsOf(pricing, "input").filter(({ attributes }) => "checked" in attributes);
    expect(checked.map(({ attributes }) => attributes["value"])).toEqual(["monthly"]);
  });

  test("leads a signed-in user home instead of to sign-up", async () => {
    const { signedIn } = await createTestApp();
    const main = /<main[^]*<\/main>/.exec(await (await (await signedIn()).get("/")).text())?.[0] ?? "";
    expect(main.match(/href="\/home"[^>]*>Open your cards/g)).toHaveLength(3);
    expect(main).not.toMatch(/href="\/(auth|signup)/);
    expect(main).toContain("$7.99");
  });
});

test.each(["on", "off"])("the live demo needs no script, and its code opens the sample's address: %s", async (demo) => {
  const { html, visitor, services } = await openLanding({ env: { DEMO: demo } });
  const section = sectionOf(html, "live-demo");
  expect(visibleText(section)).toContain("Maya Lindqvist");
  expect(visibleText(section)).not.toContain("Wallet");
  const inputs = elementsOf(section, "input").map(({ attributes }) => attributes);
  const texts = inputs.filter(({ type }) => type !== "radio").map(({ name, value }) => [name, value]);
  expect(Object.fromEntries(texts)).toMatchObject({
    name: "Maya Lindqvist",
    company: "Northlight Studio",
    payload: "/u/demo-user",
  });
  const choices = (name: string) => inputs.filter((input) => input["name"] === name);
  expect(choices("accent").map(({ value }) => value)).toEqual(["indigo", "blue", "violet", "emerald"]);
  expect(choices("mode").map(({ value }) => value)).toEqual(["dark", "light"]);
  const chosen = [...choices("accent"), ...choices("mode")].filter(({ checked }) => checked !== undefined);
  expect(chosen.map(({ value }) => value)).toEqual(["indigo", "light"]);

  const [keep] = elementsOf(section, "button");
  expect(keep?.text).toBe("Keep this card");
  const form = elementsOf(section, "form").find(({ attributes }) => attributes["id"] === keep?.attributes["form"]);
  expect(form?.attributes).toMatchObject({ method: "post", action: "/keep" });

  const code = await visitor().get(elementsOf(section, "img")[0]?.attributes["src"] ?? "");
  expect(code.headers.get("content-type")).toBe("image/svg+xml");
  expect(await scanQrCode(await code.text())).toBe(`${services.config.baseUrl}/u/demo-user`);
});

describe("social proof", () => {
  test("shows three samples marked as such, and only where samples are on", async () => {
    const { html } = await openLanding({ env: { DEMO: "on" } });
    const slides = sectionOf(html, "social-proof").split("<li").slice(1).map(visibleText);
    expect(slides.map((slide) => /Rated ([\d.]+) out of 5/.exec(slide)?.[1])).toEqual(["5", "4.5", "5"]);
    for (const slide of slides) expect(slide).toContain("Sample");
    expect(sectionOf((await openLanding()).html, "social-proof")).toBe("");
  });

  test("shows the operator's quotes without samples", async () => {
    const quotes = [
      { quote: "It <b>works</b>.", name: "Ada Lovelace", role: "Engineer", company: "Engines & Co", rating: 3.5 },
      { quote: "Kept on the fridge.", name: "Bo Ek", role: "Baker", avatar: "/files/bo.jpg" },
    ];
    const section = sectionOf((await openLanding({ content: { quotes } })).html, "social-proof");
    const slides = section.split("<li").slice(1);
    expect(slides).toHaveLength(2);
    expect(visibleText(slides[0] ?? "")).toMatch(
      /Rated 3\.5 out of 5 stars.*It &lt;b&gt;works&lt;\/b&gt;\..*Ada Lovelace.*Engineer.*Engines &amp; Co/,
    );
    // The initials are visible when the image is missing.
    expect(visibleText(slides[1] ?? "")).toMatch(/BE.*Rated 5 out of 5|Rated 5 out of 5.*BE/);
    expect(elementsOf(slides[1] ?? "", "img")[0]?.attributes["src"]).toBe("/files/bo.jpg");
    expect(visibleText(section)).not.toContain("Sample");
  });
});

describe("the security section", () => {
  test("shows samples where they are on while the operator has stated nothing, else no facts", async () => {
    const samples = wordsOf((await openLanding({ env: { DEMO: "on" } })).html, "security");
    for (const text of ["Sample", "TLS 1.2+", "AES-256", "Daily, kept for 7 days", "US"])
      expect(samples).toContain(text);
    expect(samples).not.toContain("uptime");
    const none = wordsOf((await openLanding()).html, "security");
    for (const text of ["Sample", "AES-256", "Stated by", "View the source code"]) expect(none).not.toContain(text);
  });

  test("shows only what the operator stated, and links to the source code where its address is set", async () => {
    const content = { facts: { region: "Iceland", backups: "Every hour" } };
    const sourceUrl = "https://git.example/ada/meishi";
    const section = sectionOf((await openLanding({ content, env: { SOURCE_URL: sourceUrl } })).html, "security");
    const words = visibleText(section);
    for (const text of ["Iceland", "Every hour"]) expect(words).toContain(text);
    expect(words).not.toMatch(/Sample|AES-256|TLS|\.ts\b|README/);
    const link = elementsOf(section, "a").find(({ text }) => text === "View the source code");
    expect(link?.attributes["href"]).toBe(sourceUrl);
  });

  test("shows the measured uptime, and omits it while it can't be read", async () => {
    const midnight = Date.UTC(2026, 10, 21);
    let now = midnight;
    const { services, read } = await openLanding({ clock: () => now });
    const days = [2, 1].map((ago) => ({ day: midnight / day - ago, minutes: "0".repeat(1440) }));
    await services.db.insertInto("status_day").values(days).execute();
    // The page is cached for a minute, the uptime for half a minute.
    now += 59_000;
    expect(wordsOf(await read("/?screen=none"), "security")).toContain(
      "100% uptime over the past 2 days, measured by this site itself.",
    );
    await services.db.schema.alterTable("status_day").renameTo("away").execute();
    now += 60_001;
    expect(wordsOf(await read("/"), "security")).not.toContain("uptime");
    await services.db.schema.alterTable("away").renameTo("status_day").execute();
    now += 5_000;
    // Minutes without a record don't count as uptime.
    expect(wordsOf(await read("/"), "security")).toMatch(/99\.9\d% uptime over the past 2 days/);
  });
});
