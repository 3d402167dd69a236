import { expect, test } from "vitest";

import { readElements, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

async function open(env: Record<string, string> = {}) {
  const visitor = (await createTestApp({ env })).visitor();
  return async (query = "") => {
    const response = await visitor.get(`/${query}`);
    expect(response.status, query).toBe(200);
    return response.text();
  };
}

const firstSection = (html: string) => html.slice(html.indexOf("<section"), html.indexOf("</section>"));
const linkIn = (html: string, label: string) =>
  readElements(html).find(({ tag, text }) => tag === "a" && text === label)?.attributes["href"];
const isAlone = (html: string) => !/<header|<footer|Skip to content|ui-call/.test(html);

test("the first screen names the product, and links to what exists", async () => {
  const page = await (await open())();
  const html = firstSection(page);
  expect(visibleText(/<h1.*?<\/h1>/s.exec(html)?.[0] ?? "").trim()).toBe("One tap, endless connections.");
  expect(linkIn(html, "Get your card")).toBe("/pricing");
  expect(linkIn(html, "Get Started — Free")).toBe("/auth?tab=signup");
  expect(linkIn(html, "See how it works")).toBe("#personas");
  expect(page).toContain('id="personas"');
  expect(html).not.toContain("/u/demo-user");
  const ways = visibleText(/<ul aria-label="Ways to share".*?<\/ul>/s.exec(html)?.[0] ?? "");
  expect(ways).toContain("QR code");
  expect(ways).not.toMatch(/wallet/i);
  const withSample = firstSection(await (await open({ DEMO: "on" }))());
  expect(linkIn(withSample, "View a sample profile")).toBe("/u/demo-user");
});

test("the first screen describes its images once, reserves their space and requests no video without script", async () => {
  const page = await (await open())();
  const html = firstSection(page);
  expect(html.match(/Maya Lindqvist, a product designer/g)).toHaveLength(1);
  const figure = /<figure.*?<\/figure>/s.exec(html)?.[0] ?? "";
  expect(figure).toContain('<div aria-hidden="true">');
  expect(figure).not.toMatch(/<a |<button|tabindex|alt="[^"]/i);
  const images = readElements(figure).filter(({ tag }) => tag === "img");
  for (const { attributes } of images)
    expect(Number(attributes["width"]) * Number(attributes["height"])).toBeGreaterThan(0);
  expect(/<img [^>]*src="[^"]*ink[^"]*\.avif"[^>]*>/.exec(html)?.[0]).toContain('alt=""');
  expect(/<video\b|\.webm"|\.mp4"/.exec(page)).toBeNull();
});

test("the showcase shows one part alone, in the theme of the query", async () => {
  const load = await open();
  for (const screen of ["hero", "card", "phone"])
    for (const theme of ["slate", "indigo", "emerald"]) {
      const html = await load(`?screen=${screen}&theme=${theme}`);
      expect([isAlone(html), html.includes("<h1"), html.includes('id="personas"')]).toEqual([true, true, false]);
      expect(html.includes("bg-[#5b54e8]")).toBe(theme === "indigo");
      expect(html.includes("bg-[light-dark(#8fd9bb,#0e7a56)]")).toBe(theme === "emerald");
    }
  const card = await load("?screen=card");
  expect(card).toMatch(/mocks\/card[^"]*\.avif/);
  expect(card).not.toContain("mocks/phone");
  expect(await load("?screen=phone&theme=emerald")).toContain("phone-forest.avif");
  expect(await load("?screen=phone&theme=indigo")).toContain("phone-royal.avif");
  // Not cached for the next visitor.
  expect(isAlone(await load())).toBe(false);
});

test("the usual page is shown for an unknown screen, and nothing of a made-up query is repeated", async () => {
  const load = await open();
  for (const query of ["?screen=nope&theme=indigo", "?theme=indigo", "?screen=nope&screen=hero"]) {
    const html = await load(query);
    expect([html.includes('id="personas"'), html.includes("<header"), html.includes("bg-[#5b54e8]")]).toEqual([
      true,
      true,
      false,
    ]);
  }
  for (const query of [
    `screen=hero&screen=hero&theme=emerald&theme=zz"><i>evil`,
    `screen=${"evil".repeat(3000)}&theme=${"evil".repeat(200)}`,
    "screen=%E0%A4%A&theme=%00evil",
    "screen=%22%3E%3Cscript%3Eevil%3C/script%3E&theme=hero';evil",
    "screen[]=evil&screen[hero]=evil&theme[__proto__]=evil",
  ]) {
    const html = await load(`?${query}`);
    expect([html.includes("evil"), html.includes("One tap")]).toEqual([false, true]);
  }
});
