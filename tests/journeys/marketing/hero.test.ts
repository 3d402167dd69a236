import { beforeAll, describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

async function open(path: string, env: Record<string, string> = {}) {
  const { visitor } = await createTestApp({ env });
  const response = await visitor().get(path);
  return { status: response.status, html: await response.text() };
}

const firstSection = (html: string) => html.slice(html.indexOf("<section"), html.indexOf("</section>"));
const link = (html: string, text: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].filter(([, , said]) => said === text);

describe("the first screen", () => {
  let page = "";
  let html = "";
  beforeAll(async () => {
    page = (await open("/")).html;
    html = firstSection(page);
  });

  test("names the product and has its three links", () => {
    const heading = /<h1[^>]*>([^]*?)<\/h1>/.exec(html)?.[1] ?? "";
    expect(heading.replaceAll(/<br\/>|\n/g, " ").replaceAll(/<[^>]*>/g, "")).toBe("One tap, endless connections.");
    expect(link(html, "Get your card")[0]?.[1]).toBe("/pricing");
    expect(link(html, "See how it works")[0]?.[1]).toBe("#personas");
    expect(link(html, "Get Started — Free")[0]?.[1]).toBe("/auth?tab=signup");
  });

  test("links to a section that exists", () => {
    expect(page).toContain('id="personas"');
  });

  test("links to the sample only where it exists", async () => {
    expect(html.includes("/u/demo-user")).toBe(false);
    expect(link(firstSection((await open("/", { DEMO: "on" })).html), "View a sample profile")[0]?.[1]).toBe(
      "/u/demo-user",
    );
  });

  test("describes its images once for screen readers and keeps them out of the tab order", () => {
    expect(html.match(/Maya Lindqvist, a product designer/g)).toHaveLength(1);
    const figure = /<figure.*?<\/figure>/s.exec(html)?.[0] ?? "";
    expect(figure).toContain('<div aria-hidden="true">');
    expect(figure).not.toMatch(/<a |<button|tabindex|alt="[^"]/i);
    for (const [image] of figure.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/width="\d+" height="\d+"/);
  });

  test("has a still background image and requests no video without script", () => {
    expect(/<img [^>]*src="[^"]*ink[^"]*\.avif"[^>]*>/.exec(html)?.[0]).toContain('alt=""');
    expect(/<video\b|\.webm"|\.mp4"/.exec(page)).toBeNull();
  });

  test("names only ways to share that exist", () => {
    const ways = /<ul aria-label="Ways to share".*?<\/ul>/s.exec(html)?.[0] ?? "";
    expect(ways).toContain("<li>QR code</li>");
    expect(ways).not.toMatch(/wallet/i);
  });
});

describe("the showcase of the first screen", () => {
  const isAlone = (html: string) => !/<header|<footer|Skip to content|ui-call/.test(html);

  test.for(["hero", "card", "phone"])("shows the %s alone", async (screen) => {
    for (const theme of ["slate", "indigo", "emerald"]) {
      const { status, html } = await open(`/?screen=${screen}&theme=${theme}`);
      expect(status).toBe(200);
      expect(isAlone(html)).toBe(true);
      expect(html.includes("<h1")).toBe(true);
      expect(html.includes('id="personas"')).toBe(false);
      expect(html.includes("bg-[#5b54e8]")).toBe(theme === "indigo");
      expect(html.includes("bg-[light-dark(#8fd9bb,#0e7a56)]")).toBe(theme === "emerald");
    }
  });

  test("shows the card without the phone, and the phone without the card, in the profile's own theme", async () => {
    const card = (await open("/?screen=card")).html;
    expect(card).toMatch(/mocks\/card[^"]*\.avif/);
    expect(card.includes("mocks/phone")).toBe(false);
    expect((await open("/?screen=phone&theme=emerald")).html).toContain("phone-forest.avif");
    expect((await open("/?screen=phone&theme=indigo")).html).toContain("phone-royal.avif");
  });

  test("is the usual page for an unknown screen, and slate for an unknown theme", async () => {
    for (const query of ["screen=", "screen=nope&theme=indigo", "theme=indigo", "screen=nope&screen=hero"]) {
      const { status, html } = await open(`/?${query}`);
      expect(status).toBe(200);
      expect(html.includes('id="personas"')).toBe(true);
      expect(html.includes("<header")).toBe(true);
      expect(html.includes("bg-[#5b54e8]")).toBe(false);
    }
    const { html } = await open("/?screen=card&theme=nope");
    expect(isAlone(html)).toBe(true);
    expect(html).not.toMatch(/#5b54e8|#0e7a56/);
  });

  test.for([
    ["repeated", `screen=hero&screen=hero&theme=emerald&theme=zz"><i>evil`],
    ["huge", `screen=${"evil".repeat(3000)}&theme=${"evil".repeat(200)}`],
    ["malformed", "screen=%E0%A4%A&theme=%00evil"],
    ["hostile", "screen=%22%3E%3Cscript%3Eevil%3C/script%3E&theme=hero';evil"],
    ["nested", "screen[]=evil&screen[hero]=evil&theme[__proto__]=evil"],
  ])("takes a %s query without a crash, and repeats nothing of it", async ([, query]) => {
    const { status, html } = await open(`/?${query}`);
    expect(status).toBe(200);
    expect(html.includes("evil")).toBe(false);
    expect(html.includes("One tap")).toBe(true);
  });

  test("is not cached for the next visitor of the page", async () => {
    const { visitor } = await createTestApp();
    for (const path of ["/", "/?screen=card", "/", "/?screen=hero&theme=indigo", "/"]) {
      const html = await (await visitor().get(path)).text();
      expect(isAlone(html)).toBe(path !== "/");
    }
  });
});
