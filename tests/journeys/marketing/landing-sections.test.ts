import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, test } from "vitest";

import { rasterize } from "#app/services/images/sharp.server.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

type Element = DefaultTreeAdapterTypes.Element;

describe("the live demo without script", () => {
  test("shows the sample's card, and a code that opens the sample's profile", async () => {
    const landing = await openLanding({ env: { DEMO: "on" } });
    const demo = landing.section("live-demo");
    expect(visibleText(demo)).toContain("Maya Lindqvist");
    expect(valuesOf(demo)).toMatchObject({
      name: "Maya Lindqvist",
      company: "Northlight Studio",
      payload: "/u/demo-user",
    });
    expect(await readCode(landing)).toBe(`${landing.baseUrl}/u/demo-user`);
  });

  test("offers four accents and two modes, and starts with indigo on a light card", async () => {
    const { section } = await openLanding();
    const groups = find(section("live-demo"), "fieldset").map((group) => ({
      legend: visibleText(find(group, "legend")[0]),
      values: find(group, "input").map((input) => attribute(input, "value")),
      first: find(group, "input").flatMap((input) =>
        attribute(input, "checked") === undefined ? [] : [attribute(input, "value")],
      ),
    }));
    expect(groups).toEqual([
      { legend: "Accent Color", values: ["indigo", "blue", "violet", "emerald"], first: ["indigo"] },
      { legend: "Card Mode", values: ["dark", "light"], first: ["light"] },
    ]);
  });

  test("encodes the sample's address also where samples are off", async () => {
    const landing = await openLanding({ env: { DEMO: "off" } });
    expect(valuesOf(landing.section("live-demo"))["payload"]).toBe("/u/demo-user");
    expect(await readCode(landing)).toBe(`${landing.baseUrl}/u/demo-user`);
  });

  test("keeps the card of the visitor, and offers no passes while there are none", async () => {
    const { section } = await openLanding();
    const [main] = find(section("live-demo"), "button");
    expect(visibleText(main)).toBe("Keep this card");
    const form = find(section("live-demo"), "form").find(
      (element) => attribute(element, "id") === attribute(main, "form"),
    );
    expect([attribute(form, "method"), attribute(form, "action")]).toEqual(["post", "/keep"]);
    expect(visibleText(section("live-demo"))).not.toContain("Wallet");
  });
});

describe("social proof", () => {
  test("shows three samples of 5, 4.5 and 5 stars, marked as such, while the operator has no quotes", async () => {
    const { section } = await openLanding({ env: { DEMO: "on" } });
    const slides = find(section("social-proof"), "li");
    expect(slides.map((slide) => /Rated ([\d.]+) out of 5/.exec(visibleText(slide))?.[1])).toEqual(["5", "4.5", "5"]);
    for (const slide of slides) expect(find(slide, "span").map(visibleText)).toContain("Sample");
  });

  test("is left out without quotes where samples are off", async () => {
    const { section } = await openLanding({ env: { DEMO: "off" } });
    expect(section("social-proof")).toBeUndefined();
  });

  test("shows the operator's quotes without samples", async () => {
    const quotes = [
      { quote: "It <b>works</b>.", name: "Ada Lovelace", role: "Engineer", company: "Engines & Co", rating: 3.5 },
      { quote: "Kept on the fridge.", name: "Bo Ek", role: "Baker", avatar: "/files/bo.jpg" },
    ];
    const { section } = await openLanding({ content: { quotes } });
    const slides = find(section("social-proof"), "li");
    expect(slides).toHaveLength(2);
    expect(visibleText(slides[0])).toMatch(
      /Rated 3\.5 out of 5 stars.*It <b>works<\/b>\..*Ada Lovelace.*Engineer · Engines & Co/,
    );
    expect(visibleText(slides[1])).toContain("Rated 5 out of 5");
    expect(attribute(find(slides[1], "img")[0], "src")).toBe("/files/bo.jpg");
    // Visible when the image is missing.
    expect(find(slides[1], "span").map(visibleText)).toContain("BE");
    expect(visibleText(section("social-proof"))).not.toContain("Sample");
  });
});

describe("security", () => {
  test("shows samples, marked as such, while the operator has stated nothing, and no unmeasured uptime", async () => {
    const { section } = await openLanding({ env: { DEMO: "on" } });
    const words = visibleText(section("security"));
    for (const text of ["Sample", "TLS 1.2+", "AES-256", "Daily, kept for 7 days", "US"]) expect(words).toContain(text);
    expect(words).not.toContain("uptime");
  });

  test("has no facts where samples are off and the operator has stated nothing", async () => {
    const { section } = await openLanding({ env: { DEMO: "off" } });
    const words = visibleText(section("security"));
    for (const text of ["Sample", "AES-256", "Stated by"]) expect(words).not.toContain(text);
  });

  test("links to the source code where its address is set, and names no file of the code", async () => {
    const sourceUrl = "https://git.example/ada/meishi";
    const { section } = await openLanding({ env: { SOURCE_URL: sourceUrl } });
    const link = find(section("security"), "a").find((one) => visibleText(one) === "View the source code");
    expect(attribute(link, "href")).toBe(sourceUrl);
    expect(visibleText(section("security"))).not.toMatch(/\.ts\b|README/);
    const without = await openLanding();
    expect(visibleText(without.section("security"))).not.toContain("View the source code");
  });

  test("shows only what the operator stated", async () => {
    const { section } = await openLanding({ content: { facts: { region: "Iceland", backups: "Every hour" } } });
    const words = visibleText(section("security"));
    expect(words).toContain("Iceland");
    expect(words).toContain("Every hour");
    for (const text of ["Sample", "AES-256", "TLS"]) expect(words).not.toContain(text);
  });

  test("shows the measured uptime", async () => {
    const today = Math.floor(Date.UTC(2026, 10, 21) / 86_400_000);
    let now = today * 86_400_000;
    const { services, read } = await openLanding({ clock: () => now });
    const days = [today - 2, today - 1].map((day) => ({ day, minutes: "0".repeat(1440) }));
    await services.db.insertInto("status_day").values(days).execute();
    // The page is cached for a minute, the uptime for half a minute.
    now += 59_000;
    const words = visibleText((await read("/?screen=none"))("security"));
    expect(words).toContain("100% uptime over the past 2 days, measured by this site itself.");
  });

  test("omits the uptime while it can't be read, and shows it again five seconds later", async () => {
    const midnight = Date.UTC(2026, 10, 21);
    let now = midnight;
    const { services, read } = await openLanding({ clock: () => now });
    const days = [2, 1].map((ago) => ({ day: midnight / 86_400_000 - ago, minutes: "0".repeat(1440) }));
    await services.db.insertInto("status_day").values(days).execute();
    await services.db.schema.alterTable("status_day").renameTo("away").execute();
    // The uptime read at the start is cached for half a minute, its page for a minute.
    now += 60_001;
    expect(visibleText((await read("/"))("security"))).not.toContain("uptime");
    await services.db.schema.alterTable("away").renameTo("status_day").execute();
    now += 5_000;
    // Minutes without a record don't count as uptime.
    expect(visibleText((await read("/"))("security"))).toContain("99.96% uptime over the past 2 days");
  });
});

test("the plans show their monthly prices and link to sign-up and to the comparison", async () => {
  const { section } = await openLanding();
  const words = visibleText(section("pricing"));
  for (const text of ["Free", "$0", "Premium", "$7.99", "$80", "Save ~17%", "2 months free on yearly"])
    expect(words).toContain(text);
  const links = find(section("pricing"), "a").map((link) => attribute(link, "href"));
  expect(links).toEqual(["/signup?tier=free", "/signup?tier=premium", "/pricing"]);
  const chosen = find(section("pricing"), "input").filter((input) => attribute(input, "checked") !== undefined);
  expect(chosen.map((input) => attribute(input, "value"))).toEqual(["monthly"]);
});

test("the questions open one at a time, start closed, and mention only Free and Premium", async () => {
  const { section } = await openLanding();
  const items = find(section("faq"), "details");
  expect(items.length).toBeGreaterThanOrEqual(7);
  expect(new Set(items.map((item) => attribute(item, "name")))).toEqual(new Set(["faq"]));
  expect(items.filter((item) => attribute(item, "open") !== undefined)).toEqual([]);
  expect(visibleText(section("faq"))).toMatch(
    /Free includes 1 business card.*Premium includes unlimited business cards/,
  );
  expect(visibleText(section("faq"))).not.toMatch(/\bPro\b|\bBusiness\b/);
});

test("the page says once what is not available", async () => {
  const { page } = await openLanding({ env: { DEMO: "on" } });
  expect(
    visibleText(page).match(
      /not there yet|n't available yet|\blater\b|not (?:yet )?on sale|can't be bought|coming soon/gi,
    ),
  ).toHaveLength(1);
});

test("the sections are in the specification's order", async () => {
  const { ids } = await openLanding({ env: { DEMO: "on" } });
  const mine = ["live-demo", "social-proof", "security", "pricing", "faq"];
  expect(ids.filter((id) => mine.includes(id))).toEqual(mine);
});

type Landing = Awaited<ReturnType<typeof openLanding>>;
type LandingOptions = { env?: Record<string, string>; content?: object; clock?: () => number };

async function openLanding({ env = {}, content, clock }: LandingOptions = {}) {
  const own: Record<string, string> = content ? { DATA_DIR: folderWith(content) } : {};
  const { visitor, services } = await createTestApp({ env: { ...env, ...own }, ...(clock && { clock }) });
  const read = async (path: string) => {
    const page = parse(await (await visitor().get(path)).text());
    const sections = find(page, "section");
    const byId = new Map(sections.map((element) => [attribute(element, "id") ?? "", element]));
    return Object.assign((id: string) => byId.get(id), { ids: [...byId.keys()], page: find(page, "main")[0] });
  };
  const section = await read("/");
  const picture = (path: string) => visitor().get(path);
  return { section, ids: section.ids, page: section.page, read, picture, services, baseUrl: services.config.baseUrl };
}

function folderWith(content: object): string {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-landing-"));
  mkdirSync(join(dataDir, "content"));
  writeFileSync(join(dataDir, "content", "site.json"), JSON.stringify(content));
  return dataDir;
}

type Node = DefaultTreeAdapterTypes.Node;

function find(within: Node | undefined, tag: string): Element[] {
  if (!within || !("childNodes" in within)) return [];
  return within.childNodes.flatMap((child) => [
    ...("tagName" in child && child.tagName === tag ? [child] : []),
    ...find(child, tag),
  ]);
}

function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.attrs.find((attr) => attr.name === name)?.value;
}

/** The visible text in one line. */
function visibleText(node: Node | undefined): string {
  if (!node) return "";
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(visibleText).join("").replaceAll(/\s+/g, " ").trim() : "";
}

function valuesOf(form: Element | undefined): Record<string, string | undefined> {
  return Object.fromEntries(
    find(form, "input").map((input) => [attribute(input, "name") ?? "", attribute(input, "value")]),
  );
}

/** The text in the demo's QR code. */
async function readCode({ section, picture }: Landing): Promise<string | undefined> {
  const response = await picture(attribute(find(section("live-demo"), "img")[0], "src") ?? "");
  expect(response.headers.get("content-type")).toBe("image/svg+xml");
  // The product's image decoder accepts no SVG; the renderer of its own drawings does.
  return scanQrCode(await rasterize(await response.text()));
}
