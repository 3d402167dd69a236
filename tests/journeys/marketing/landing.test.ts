import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { featureFlags } from "#app/features/shell/feature-flags.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";

const imagesFolder = join(import.meta.dirname, "../../../app/features/marketing/landing/images");

async function openLanding(env: Record<string, string> = {}) {
  const { visitor } = await createTestApp({ env });
  return (await visitor().get("/")).text();
}

/** The HTML from the tag with this id to the end of its section. */
function sectionOf(html: string, id: string): string {
  const start = html.indexOf(`<section id="${id}"`);
  expect(start, id).toBeGreaterThan(-1);
  return html.slice(start, html.indexOf("</section>", start));
}

/** The visible text. */
function visibleText(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

describe("the landing page", () => {
  test("has its sections in the specification's order", async () => {
    const html = await openLanding({ DEMO: "on" });
    const inOrder = [
      "personas",
      "live-demo",
      "how-it-works",
      "integrations",
      "social-proof",
      "security",
      "pricing",
      "faq",
    ];
    const found = [...html.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(found.filter((id) => inOrder.includes(id ?? ""))).toEqual(inOrder);
  });

  test("ends with a link to sign-up, and one to the sample only where it exists", async () => {
    const closing = (html: string) =>
      html.slice(html.indexOf('aria-labelledby="closing-title"'), html.indexOf("</main>"));
    const withSample = closing(await openLanding({ DEMO: "on" }));
    expect(withSample).toContain('href="/auth?tab=signup"');
    expect(withSample).toContain("Get Started — Free");
    expect(withSample).toContain('href="/card/demo-card"');
    expect(closing(await openLanding())).not.toContain("demo-card");
  });

  test("shows small screenshots that load lazily and reserve their space", async () => {
    const html = await openLanding();
    const images = ["personas", "how-it-works", "integrations"].flatMap((id) => [
      ...sectionOf(html, id).matchAll(/<img[^>]*>/g),
    ]);
    expect(images).toHaveLength(19);
    for (const [image] of images) {
      expect(image).toContain('loading="lazy"');
      expect(image).toMatch(/ width="\d+" height="\d+"/);
      expect(image).toMatch(/ alt="/);
    }
    for (const file of readdirSync(imagesFolder))
      expect(statSync(join(imagesFolder, file)).size, file).toBeLessThan(30_000);
  });
});

describe("the personas", () => {
  test("are three tabs that need no script, each with a story and four features", async () => {
    const section = sectionOf(await openLanding(), "personas");
    const tabs = [...section.matchAll(/<input[^>]*>([^<]+)<\/label>/g)];
    expect(tabs.map(([, name]) => name)).toEqual(["Freelancers", "Recruiters", "Sales Teams"]);
    expect(tabs.map(([input]) => input.includes("checked"))).toEqual([true, false, false]);
    for (const [input] of tabs) expect(input).toMatch(/type="radio"[^>]*name="persona"/);
    const panels = section.split('<div class="crop sheet"').slice(1);
    expect(panels).toHaveLength(3);
    // One for the story, four for the features.
    for (const panel of panels) expect(panel.match(/<h3/g)).toHaveLength(5);
  });

  test("are the target of the header's Features link", async () => {
    const html = await openLanding();
    expect(html).toContain('href="/#features"');
    expect(html.indexOf('id="features"')).toBeLessThan(html.indexOf('id="personas"'));
    expect(html.slice(html.indexOf('id="features"'), html.indexOf('id="personas"'))).not.toContain("</section>");
  });
});

describe("how it works", () => {
  test("has three steps, each with details that open without script", async () => {
    const section = sectionOf(await openLanding(), "how-it-works");
    for (const step of ["Create your card", "Add your links", "Share it anywhere"]) expect(section).toContain(step);
    expect(section.match(/<details/g)).toHaveLength(3);
    expect(section.match(/<summary/g)).toHaveLength(3);
  });
});

describe("the integrations", () => {
  test("lists what works today; the FAQ names what is missing", async () => {
    const html = await openLanding();
    const today = visibleText(sectionOf(html, "integrations"));
    const missing = visibleText(sectionOf(html, "faq")).split("available yet?")[1] ?? "";
    for (const name of ["Contacts", "Booking pages", "NFC tags", "Printers"]) expect(today).toContain(name);
    expect(today).not.toContain("an API");
    expect(missing.toLowerCase().includes("an api")).toBe(!featureFlags.api);
    for (const word of ["a form for", "charts"]) expect(missing).not.toContain(word);
  });

  test("no section claims a feature that doesn't exist", async () => {
    const html = await openLanding();
    const words = ["personas", "how-it-works", "integrations"].map((id) => visibleText(sectionOf(html, id))).join(" ");
    expect(words).not.toMatch(/\b(CRM|HubSpot|Salesforce|Mailchimp|Zapier|webhooks?|SSO|single sign-on)\b/i);
    expect(words).not.toMatch(/!|trusted by|\bteams love|\d+[,.]?\d* (users|customers|people)/i);
  });

  test("shows only icons that links can get", () => {
    const sheet = readFileSync(join(imagesFolder, "services.svg"), "utf8");
    expect(sheet.match(/<path/g)?.length).toBeGreaterThanOrEqual(60);
    expect(sheet).not.toMatch(/<script|href=/);
  });
});

test("leads a signed-in user to their profile instead of sign-up", async () => {
  const { signedIn } = await createTestApp();
  const main = /<main[^]*<\/main>/.exec(await (await (await signedIn()).get("/")).text())?.[0] ?? "";
  expect(main.match(/href="\/profile"[^>]*>Open your profile/g)).toHaveLength(2);
  expect(main).not.toMatch(/href="\/(auth|signup)/);
  expect(main).toContain("$7.99");
});
