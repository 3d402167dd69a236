import sharp from "sharp";
import { expect, test } from "vitest";

import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { ensureSample, removeSample } from "#app/features/marketing/sample.server.ts";
import { rasterize } from "#app/services/images/sharp.server.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { readElements, textWith, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

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
  const unknown = await load("?screen=nope&theme=indigo");
  expect([isAlone(unknown), unknown.includes("bg-[#5b54e8]")]).toEqual([false, false]);
  // Not cached for the next visitor.
  expect(isAlone(await load())).toBe(false);
});

const openSample = () => createTestApp({ env: { DEMO: "on" } });

test("the sample on a new server is a public profile and card, marked as a sample", async () => {
  const visitor = (await openSample()).visitor();
  for (const path of ["/u/demo-user", "/card/demo-card"]) {
    const html = await textWith(200, await visitor.get(path));
    for (const text of ["Maya Lindqvist", "A sample, made with Meishi"]) expect(html).toContain(text);
  }
  expect(await (await visitor.get("/card/demo-card/contact.vcf")).text()).toContain("FN:Maya Lindqvist");
});

test("the sample is off by default on a public server", async () => {
  const { visitor } = await createTestApp({ env: { BASE_URL: "https://meishi.example", DEMO: "" } });
  expect((await visitor().get("/u/demo-user")).status).toBe(404);
});

test("the sample exists once, however often the server starts", async () => {
  const { services, visitor } = await openSample();
  for (let start = 0; start < 2; start++) await ensureSample(services, services.clock());
  expect(await services.db.selectFrom("card").select("id").execute()).toEqual([{ id: "demo-card" }]);
  const profiles = await services.db.selectFrom("profile").select(["owner_id", "cards_owned"]).execute();
  expect(profiles).toEqual([{ owner_id: "demo-user", cards_owned: 1 }]);
  expect(await (await visitor().get("/card/demo-card/contact.vcf")).text()).toMatch(
    /FN:Maya Lindqvist[^]*ORG:Northlight Studio/,
  );
});

test("the sample has a photo in each size, like the one that its options draw", async () => {
  const { services, visitor } = await openSample();
  await services.jobs.runDue();
  const columns = ["avatar_key_prefix", "avatar_options"] as const;
  const profile = await services.db.selectFrom("profile").select(columns).executeTakeFirstOrThrow();
  const { svg } = drawAvatar(JSON.parse(profile.avatar_options ?? ""));
  const drawn = await readAreas(await rasterize(svg, { width: 768 }));
  for (const [suffix, width] of [
    ["_192.webp", 192],
    ["_384.webp", 384],
    [".jpg", 384],
  ] as const) {
    const response = await visitor().get(`/files/${profile.avatar_key_prefix}${suffix}`);
    const photo = Buffer.from(await response.arrayBuffer());
    expect(await sharp(photo).metadata()).toMatchObject({ width, height: width });
    const stored = await readAreas(photo);
    // Encoding changes an area by at most 6 of 255; another mouth by 85.
    const differences = stored.map((value, index) => Math.abs(value - (drawn[index] ?? 0)));
    expect(Math.max(...differences)).toBeLessThan(20);
  }
});

test("the sample is removed with its photo when DEMO is off, and returns when it is on again", async () => {
  const { services, visitor } = await openSample();
  await services.jobs.runDue();
  const page = await (await visitor().get("/u/demo-user")).text();
  const photo = /src="(\/files\/avatars\/demo-user\/[^"]+)"/.exec(page)?.[1] ?? "";
  expect((await visitor().get(photo)).status).toBe(200);
  await removeSample(services);
  await services.jobs.runDue();
  for (const path of [photo, "/u/demo-user", "/card/demo-card"]) expect((await visitor().get(path)).status).toBe(404);
  await ensureSample(services, services.clock());
  expect((await visitor().get("/card/demo-card")).status).toBe(200);
});

/** The mean colors of 24 × 24 areas. */
async function readAreas(image: Buffer): Promise<number[]> {
  return [...(await sharp(image).removeAlpha().resize(24, 24, { fastShrinkOnLoad: false }).raw().toBuffer())];
}

const typed = {
  name: "Ada Lovelace",
  title: "Mathematician",
  company: "Analytical Engines",
  accent: "violet",
  mode: "dark",
  payload: "/u/ada",
};
const now = Date.parse("2026-11-23T10:20:30Z");

const openDemo = () =>
  createTestApp({ env: { ...walletSettings, BASE_URL: "https://meishi.example" }, clock: () => now });

const readPass = async (response: Response) =>
  checkPass(new Uint8Array(await response.arrayBuffer()), demoCertificates.root);

test("the demo's pass is signed, shows what was typed, says that it is a demo and ends within a day", async () => {
  const { visitor } = await openDemo();
  const response = await visitor().post("/demo-pass", typed);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/vnd.apple.pkpass",
    "content-disposition": expect.stringContaining('filename="Ada Lovelace.pkpass"'),
    "cache-control": "no-store",
  });
  const { problems, pass } = await readPass(response);
  expect(problems).toEqual([]);
  expect(pass).toMatchObject({
    serialNumber: expect.stringMatching(/^demo-[\w-]{20,}$/),
    description: "Demo of a business card: Ada Lovelace",
    logoText: "Analytical Engines",
    expirationDate: "2026-11-24T10:00:00Z",
    sharingProhibited: true,
    barcode: { message: "https://meishi.example/u/ada", altText: "meishi.example/u/ada" },
    backgroundColor: "rgb(95, 31, 134)",
    eventTicket: {
      headerFields: [{ label: "Demo", value: "Not verified" }],
      primaryFields: [{ value: "Ada Lovelace" }],
      secondaryFields: [{ value: "Mathematician · Analytical Engines" }],
    },
  });
  const back = pass?.eventTicket["backFields"]?.map(({ value }) => value).join("\n");
  expect(back).toContain("No one checked who made it");
  expect(back).not.toMatch(/Ada|Mathematician|Engines/);
  const { problems: none, pass: plain } = await readPass(
    await visitor().post("/demo-pass", { ...typed, payload: " " }),
  );
  expect(none).toEqual([]);
  expect(plain).not.toHaveProperty("barcode");
});

test("the demo's pass has no update service, and nothing about it is stored", async () => {
  const { visitor, services } = await openDemo();
  const { pass } = await readPass(await visitor().post("/demo-pass", typed));
  expect(pass).not.toHaveProperty("webServiceURL");
  expect(pass).not.toHaveProperty("authenticationToken");
  expect(await services.db.selectFrom("wallet_pass").selectAll().execute()).toEqual([]);
  const headers = { authorization: `ApplePass ${"x".repeat(40)}` };
  const served = await visitor().get(`/passkit/v1/passes/pass.example.card/${pass?.serialNumber}`, headers);
  expect(served.status).toBe(401);
});

test("a refused form comes back with what was typed and an error beside its field, and only our forms make passes", async () => {
  const { visitor } = await openDemo();
  const bad = { ...typed, name: "", payload: "https://elsewhere.example" };
  const response = await visitor().post("/demo-pass", bad);
  expect([response.status, response.headers.get("cache-control")]).toEqual([422, "no-store"]);
  const html = await response.text();
  for (const text of ["Enter a name.", "can only open a profile or card on this site"]) expect(html).toContain(text);
  for (const [name, value] of Object.entries(bad)) expect(fieldValue(html, name), name).toBe(value);
  expect((await visitor().post("/demo-pass", typed, { origin: "https://elsewhere.example" })).status).toBe(403);
  const opened = await visitor().get("/demo-pass");
  expect([opened.status, opened.headers.get("location")]).toEqual([302, "/#live-demo"]);
});

test("a network gets twenty passes an hour, and what was typed isn't lost then", async () => {
  const { visitor } = await openDemo();
  for (let n = 0; n < 20; n++) expect((await visitor().post("/demo-pass", typed)).status).toBe(200);
  const refused = await visitor().post("/demo-pass", typed);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  const html = await refused.text();
  expect(html).toContain("too many demo passes from your network");
  expect(fieldValue(html, "title")).toBe("Mathematician");
});

test("the live demo offers the pass without script where passes are configured, and not with an expired certificate", async () => {
  const plain = (await createTestApp()).visitor();
  expect(await (await plain.get("/")).text()).not.toContain("Add to Apple Wallet");
  expect((await plain.post("/demo-pass", typed)).status).toBe(404);
  let time = Date.now();
  const { visitor } = await createTestApp({ env: walletSettings, clock: () => time });
  const html = await (await visitor().get("/")).text();
  const section = html.slice(html.indexOf('id="live-demo"'), html.indexOf('id="how-it-works"'));
  expect(section).toMatch(/<button[^>]*formaction="\/demo-pass"[^>]*>Add to Apple Wallet<\/button>/i);
  expect(section).not.toContain('<details class="noscript:hidden');
  expect(section).toContain("or add it to a wallet");
  time += 366 * 24 * 60 * 60_000;
  expect(await (await visitor().get("/")).text()).not.toContain("Add to Apple Wallet");
  expect((await visitor().post("/demo-pass", typed)).status).toBe(404);
});
