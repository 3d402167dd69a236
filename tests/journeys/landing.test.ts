import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { built } from "#app/features/shell/built.ts";

import { createTestApp } from "../support/test-app.ts";

const pictures = join(import.meta.dirname, "../../app/features/marketing/pictures");

async function openLanding(env: Record<string, string> = {}) {
  const { visitor } = await createTestApp({ env });
  return (await visitor().get("/")).text();
}

/** What is between the tag that has this id and the end of its section. */
function sectionOf(html: string, id: string): string {
  const start = html.indexOf(`<section id="${id}"`);
  expect(start, id).toBeGreaterThan(-1);
  return html.slice(start, html.indexOf("</section>", start));
}

/** The words a reader sees. */
function wordsOf(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

describe("the landing page", () => {
  test("has its sections in the specification's order", async () => {
    const html = await openLanding();
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

  test("ends with the way in, and offers the sample only where there is one", async () => {
    const closing = (html: string) =>
      html.slice(html.indexOf('aria-labelledby="closing-title"'), html.indexOf("</main>"));
    const withSample = closing(await openLanding({ DEMO: "on" }));
    expect(withSample).toContain('href="/auth"');
    expect(withSample).toContain("Get Started — Free");
    expect(withSample).toContain('href="/card/demo-card"');
    expect(closing(await openLanding())).not.toContain("demo-card");
  });

  test("shows pictures of itself that are small, wait until they are near, and keep their place", async () => {
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
    for (const file of readdirSync(pictures)) expect(statSync(join(pictures, file)).size, file).toBeLessThan(30_000);
  });
});

describe("the personas", () => {
  test("are three tabs without script, freelancers first, each with a story and four features", async () => {
    const section = sectionOf(await openLanding(), "personas");
    const tabs = [...section.matchAll(/<input[^>]*>([^<]+)<\/label>/g)];
    expect(tabs.map(([, name]) => name)).toEqual(["Freelancers", "Recruiters", "Sales Teams"]);
    expect(tabs.map(([input]) => input.includes("checked"))).toEqual([true, false, false]);
    for (const [input] of tabs) expect(input).toMatch(/type="radio"[^>]*name="persona"/);
    const panels = section.split('<div class="crop sheet"').slice(1);
    expect(panels).toHaveLength(3);
    // The story and the four.
    for (const panel of panels) expect(panel.match(/<h3/g)).toHaveLength(5);
  });

  test("are where the header's Features leads to", async () => {
    const html = await openLanding();
    expect(html).toContain('href="/#features"');
    expect(html.indexOf('id="features"')).toBeLessThan(html.indexOf('id="personas"'));
    expect(html.slice(html.indexOf('id="features"'), html.indexOf('id="personas"'))).not.toContain("</section>");
  });
});

describe("how it works", () => {
  test("is three steps, each with details that open without script", async () => {
    const section = sectionOf(await openLanding(), "how-it-works");
    for (const step of ["Create your card", "Add your links", "Share it anywhere"]) expect(section).toContain(step);
    expect(section.match(/<details/g)).toHaveLength(3);
    expect(section.match(/<summary/g)).toHaveLength(3);
  });
});

describe("the integrations", () => {
  test("are those that work today; what is planned is called so", async () => {
    const words = wordsOf(sectionOf(await openLanding(), "integrations"));
    const [today = "", planned = ""] = words.split("Not there yet:");
    for (const name of ["Address books", "Booking pages", "NFC tags", "Printers"]) expect(today).toContain(name);
    const later = { passes: "Wallet", leads: "consent", analytics: "charts", providers: "signing in", api: "an API" };
    for (const [feature, word] of Object.entries(later)) {
      expect(today).not.toContain(word);
      const isBuilt = Object.entries(built).some(([name, isThere]) => name === feature && isThere);
      expect(planned.includes(word), feature).toBe(!isBuilt);
    }
  });

  test("no section claims what the product has no part of", async () => {
    const html = await openLanding();
    const words = ["personas", "how-it-works", "integrations"].map((id) => wordsOf(sectionOf(html, id))).join(" ");
    expect(words).not.toMatch(/\b(CRM|HubSpot|Salesforce|Mailchimp|Zapier|webhooks?|SSO|single sign-on)\b/i);
    expect(words).not.toMatch(/!|trusted by|\bteams love|\d+[,.]?\d* (users|customers|people)/i);
  });

  test("the icons shown are of services that links get an icon for", () => {
    const sheet = readFileSync(join(pictures, "services.svg"), "utf8");
    expect(sheet.match(/<path/g)?.length).toBeGreaterThanOrEqual(60);
    expect(sheet).not.toMatch(/<script|href=/);
  });
});

test("whoever is signed in is led to their profile, and not asked to sign up", async () => {
  const { signedIn } = await createTestApp();
  const main = /<main[^]*<\/main>/.exec(await (await (await signedIn()).get("/")).text())?.[0] ?? "";
  expect(main.match(/href="\/profile"[^>]*>Open your profile/g)).toHaveLength(2);
  expect(main).not.toMatch(/href="\/(auth|signup)/);
  expect(main).toContain("$7.99");
});
