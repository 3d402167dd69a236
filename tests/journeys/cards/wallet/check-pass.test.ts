import { buffer } from "node:stream/consumers";

import { Template } from "@walletpass/pass-js";
import { PKPass } from "passkit-generator";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";

import { signPass } from "#app/features/wallet/apple/signed-pass.server.ts";
import { createDemoCertificates } from "#app/services/config/demo-certificates.server.ts";

import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, demoSigner } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const { root, wwdr, certificate, key } = demoCertificates;
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#204060" } })
    .png()
    .toBuffer();
const json = {
  formatVersion: 1 as const,
  passTypeIdentifier: "pass.example.card",
  teamIdentifier: "TEAM123456",
  serialNumber: "7f3c",
  organizationName: "Meishi",
  description: "A card",
  eventTicket: { primaryFields: [{ key: "name", value: "Ada" }] },
};
type Files = Record<string, Uint8Array>;
const goodFiles = async (change: Record<string, Uint8Array | undefined> = {}): Promise<Files> => {
  const files: Record<string, Uint8Array | undefined> = {
    "pass.json": Buffer.from(JSON.stringify(json)),
    "icon.png": await image(29, 29),
    "icon@2x.png": await image(58, 58),
    ...change,
  };
  return Object.fromEntries(Object.entries(files).flatMap(([path, content]) => (content ? [[path, content]] : [])));
};
const bufferFiles = async () =>
  Object.fromEntries(Object.entries(await goodFiles()).map(([path, content]) => [path, Buffer.from(content)]));
const withJson = (change: object) => goodFiles({ "pass.json": Buffer.from(JSON.stringify({ ...json, ...change })) });

async function problemsOf(pass: Uint8Array, authority = root): Promise<string[]> {
  return (await checkPass(pass, authority)).problems;
}

/** Packs files as they are: their manifest and signature are among them. */
async function repack(pass: Uint8Array, change: (files: Files) => void): Promise<Buffer> {
  const { files } = await checkPass(pass, root);
  const changed: Record<string, Uint8Array> = { ...files };
  change(changed);
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(changed)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

describe("the checker of passes accepts", () => {
  test("one that another library packed and signed: pass-js", async () => {
    const template = new Template("eventTicket", {
      passTypeIdentifier: json.passTypeIdentifier,
      teamIdentifier: json.teamIdentifier,
      organizationName: "Meishi",
      description: "A card",
    });
    await template.images.add("icon", await image(29, 29));
    await template.images.add("icon", await image(58, 58), "2x");
    await template.images.add("logo", await image(160, 50));
    template.setCertificate(certificate);
    template.setPrivateKey(key);
    const pass = template.createPass({ serialNumber: "7f3c" });
    pass.primaryFields.add({ key: "name", value: "Ada" });
    // It adds Apple's own intermediate certificate, whatever issued the signer's.
    expect(await problemsOf(await pass.asBuffer(), root + wwdr)).toEqual([]);
  });

  test("and another one: passkit-generator", async () => {
    const pass = new PKPass(await bufferFiles(), {
      wwdr,
      signerCert: certificate,
      signerKey: key,
    });
    expect(await problemsOf(pass.getAsBuffer())).toEqual([]);
  });

  test("ours of the same files", async () => {
    expect(await problemsOf(await signPass(await goodFiles(), demoSigner, Date.now()))).toEqual([]);
  });
});

describe("the checker of passes refuses", () => {
  const other = createDemoCertificates({
    passTypeId: "pass.example.card",
    teamId: "TEAM123456",
    password: "",
    validFrom: Date.now() - 1e6,
    validTo: Date.now() + 1e6,
  });

  test.each([
    [
      "a changed text",
      (files: Files) => (files["pass.json"] = Buffer.from(JSON.stringify({ ...json, description: "Another" }))),
      /^manifest: pass\.json has another hash/,
    ],
    [
      "an exchanged image",
      (files: Files) => (files["icon.png"] = files["icon@2x.png"] ?? Buffer.of()),
      /^manifest: icon\.png has another hash/,
    ],
    [
      "an added file",
      (files: Files) => (files["logo.png"] = files["icon.png"] ?? Buffer.of()),
      /^manifest: logo\.png is not listed/,
    ],
    ["a removed file", (files: Files) => delete files["icon@2x.png"], /^manifest: icon@2x\.png is not in the package/],
    ["a removed signature", (files: Files) => delete files["signature"], /^signature is missing/],
    [
      "a manifest that was adapted to a change",
      (files: Files) =>
        (files["manifest.json"] = Buffer.from(`${Buffer.from(files["manifest.json"] ?? "").toString()} `)),
      /^signature: .*(digest|verif)/is,
    ],
  ])("%s", async (_, change, expected) => {
    const good = await signPass(await goodFiles(), demoSigner, Date.now());
    const problems = await problemsOf(await repack(good, change));
    expect(problems).toContainEqual(expect.stringMatching(expected));
    expect(await problemsOf(await repack(good, () => undefined))).toEqual([]);
  });

  test("the signature of another chain, and a half archive", async () => {
    const foreign = { ...demoSigner, ...other, key: other.key };
    expect(await problemsOf(await signPass(await goodFiles(), foreign, Date.now()))).toEqual([
      expect.stringMatching(/^signature: .*verif/is),
    ]);
    const good = await signPass(await goodFiles(), demoSigner, Date.now());
    expect((await problemsOf(good.subarray(0, good.length / 2))).length).toBeGreaterThan(0);
  });

  test.each([
    ["another pass type", { passTypeIdentifier: "pass.other" }, /pass type/],
    ["another team", { teamIdentifier: "OTHER67890" }, /team/],
    ["a missing description", { description: undefined }, /description/],
    ["a color that isn't one", { labelColor: "#fff" }, /labelColor/],
    ["an unknown key", { pictures: [] }, /additional/],
    ["a service without its token", { webServiceURL: "https://a.example/" }, /authenticationToken/],
    ["a short token", { webServiceURL: "https://a.example/", authenticationToken: "short" }, /authenticationToken/],
    [
      "two fields of one key",
      { eventTicket: { primaryFields: [{ key: "a", value: "1" }], backFields: [{ key: "a", value: "2" }] } },
      /same key/,
    ],
  ])("%s", async (_, change, expected) => {
    const problems = await problemsOf(await signPass(await withJson(change), demoSigner, Date.now()));
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });

  test.each([
    ["an icon of another size", async () => ({ "icon.png": await image(30, 29) })],
    ["a background at the wrong density", async () => ({ "background@2x.png": await image(180, 220) })],
    ["a logo that is too wide", async () => ({ "logo.png": await image(161, 50) })],
    [
      "a JPEG named PNG",
      async () => ({
        "logo.png": await sharp(await image(9, 9))
          .jpeg()
          .toBuffer(),
      }),
    ],
    ["no icon", async () => ({ "icon.png": undefined })],
  ])("%s", async (_, change) => {
    const files = await goodFiles(await change());
    expect((await problemsOf(await signPass(files, demoSigner, Date.now()))).length).toBe(1);
  });
});
