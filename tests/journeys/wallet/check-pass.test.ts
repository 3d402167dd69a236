import { buffer } from "node:stream/consumers";

import { Template } from "@walletpass/pass-js";
import { PKPass } from "passkit-generator";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";

import { signPass } from "#app/features/wallet/apple/signed-pass.server.ts";
import { plainImage } from "#tests/support/app/uploads.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, demoSigner } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const { root, wwdr, certificate, key } = demoCertificates;
const image = (width: number, height: number) => plainImage(width, height).png().toBuffer();
const json = {
  formatVersion: 1 as const,
  passTypeIdentifier: "pass.example.card",
  teamIdentifier: "TEAM123456",
  serialNumber: "7f3c",
  organizationName: "Meishi",
  description: "A card",
  eventTicket: { primaryFields: [{ key: "name", value: "Ada" }] },
};
type Files = Record<string, Buffer>;

async function listFiles(change: object = {}): Promise<Files> {
  const text = Buffer.from(JSON.stringify({ ...json, ...change }));
  return { "pass.json": text, "icon.png": await image(29, 29), "icon@2x.png": await image(58, 58) };
}

const sign = (files: Files) => signPass(files, demoSigner, Date.now());
const problemsOf = async (pass: Uint8Array, authority = root) => (await checkPass(pass, authority)).problems;

/** Packs files as they are: their manifest and signature are among them. */
async function repack(pass: Uint8Array, change: (files: Files) => void): Promise<Buffer> {
  const { files } = await checkPass(pass, root);
  change(files);
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(content, path);
  zip.end();
  return buffer(zip.outputStream);
}

test("the checker of passes accepts those of pass-js and passkit-generator, and ours of the same files", async () => {
  const { passTypeIdentifier, teamIdentifier, organizationName, description, serialNumber } = json;
  const template = new Template("eventTicket", { passTypeIdentifier, teamIdentifier, organizationName, description });
  await template.images.add("icon", await image(29, 29));
  await template.images.add("icon", await image(58, 58), "2x");
  await template.images.add("logo", await image(160, 50));
  template.setCertificate(certificate);
  template.setPrivateKey(key);
  const pass = template.createPass({ serialNumber });
  pass.primaryFields.add({ key: "name", value: "Ada" });
  // It adds Apple's own intermediate certificate, whatever issued the signer's.
  expect(await problemsOf(await pass.asBuffer(), root + wwdr)).toEqual([]);

  const other = new PKPass(await listFiles(), { wwdr, signerCert: certificate, signerKey: key });
  expect(await problemsOf(other.getAsBuffer())).toEqual([]);
  expect(await problemsOf(await sign(await listFiles()))).toEqual([]);
});

test("the checker of passes refuses changed files, another signer, and what Apple's documentation doesn't allow", async () => {
  const good = await sign(await listFiles());
  const changed = await repack(good, (files) => (files["icon.png"] = files["icon@2x.png"] ?? Buffer.of()));
  expect(await problemsOf(changed)).toContainEqual(expect.stringMatching(/^manifest: icon\.png has another hash/));
  const adapted = await repack(
    good,
    (files) => (files["manifest.json"] = Buffer.from(`${String(files["manifest.json"])} `)),
  );
  expect(await problemsOf(adapted)).toContainEqual(expect.stringMatching(/^signature: .*(digest|verif)/is));
  const wrong = await sign({
    ...(await listFiles({ teamIdentifier: "OTHER67890", labelColor: "#fff" })),
    "logo.png": await image(161, 50),
  });
  expect(await problemsOf(wrong)).toEqual([
    expect.stringMatching(/labelColor/),
    expect.stringMatching(/team/),
    expect.stringMatching(/logo\.png/),
  ]);
});
