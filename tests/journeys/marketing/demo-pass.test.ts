import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const typed = {
  name: "Ada Lovelace",
  title: "Mathematician",
  company: "Analytical Engines",
  accent: "violet",
  mode: "dark",
  payload: "/u/ada",
};
const now = Date.parse("2026-11-23T10:20:30Z");

const open = () => createTestApp({ env: { ...walletSettings, BASE_URL: "https://meishi.example" }, clock: () => now });

const readPass = async (response: Response) =>
  checkPass(new Uint8Array(await response.arrayBuffer()), demoCertificates.root);

test("the demo's pass is signed, shows what was typed, says that it is a demo and ends within a day", async () => {
  const { visitor } = await open();
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
  const { visitor, services } = await open();
  const { pass } = await readPass(await visitor().post("/demo-pass", typed));
  expect(pass).not.toHaveProperty("webServiceURL");
  expect(pass).not.toHaveProperty("authenticationToken");
  expect(await services.db.selectFrom("wallet_pass").selectAll().execute()).toEqual([]);
  const headers = { authorization: `ApplePass ${"x".repeat(40)}` };
  const served = await visitor().get(`/passkit/v1/passes/pass.example.card/${pass?.serialNumber}`, headers);
  expect(served.status).toBe(401);
});

test("a refused form comes back with what was typed and an error beside its field, and only our forms make passes", async () => {
  const { visitor } = await open();
  const bad = { ...typed, name: "", payload: "https://elsewhere.example" };
  const response = await visitor().post("/demo-pass", bad);
  expect([response.status, response.headers.get("cache-control")]).toEqual([422, "no-store"]);
  const html = await response.text();
  expect(html).toContain("Enter a name.");
  expect(html).toContain("can only open a profile or card on this site");
  for (const [name, value] of Object.entries(bad)) expect(fieldValue(html, name), name).toBe(value);
  expect((await visitor().post("/demo-pass", typed, { origin: "https://elsewhere.example" })).status).toBe(403);
  const opened = await visitor().get("/demo-pass");
  expect([opened.status, opened.headers.get("location")]).toEqual([302, "/#live-demo"]);
});

test("a network gets twenty passes an hour, and what was typed isn't lost then", async () => {
  const { visitor } = await open();
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
