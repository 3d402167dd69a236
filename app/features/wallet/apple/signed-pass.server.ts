import { constants, createHash, privateEncrypt } from "node:crypto";
import { buffer } from "node:stream/consumers";

import forge from "node-forge";
import { ZipFile } from "yazl";

import type { PassSigner } from "#app/services/config/apple-passes.server.ts";

/** The files of a package by their path. */
export type PassFiles = Readonly<Record<string, Uint8Array>>;

/**
 * The files as a .pkpass: a ZIP archive with a manifest of their SHA-1 hashes and its signature.
 * https://developer.apple.com/documentation/walletpasses/building-a-pass
 */
export async function signPass(files: PassFiles, signer: PassSigner, now: number): Promise<Buffer> {
  const hashes = Object.entries(files).map(([path, content]) => [
    path,
    createHash("sha1").update(content).digest("hex"),
  ]);
  const manifest = Buffer.from(JSON.stringify(Object.fromEntries(hashes)));
  const zip = new ZipFile();
  const all = { ...files, "manifest.json": manifest, signature: signManifest(manifest, signer) };
  for (const [path, content] of Object.entries(all))
    zip.addBuffer(Buffer.from(content), path, { mtime: new Date(now), compress: /\.(?:json|strings)$/.test(path) });
  zip.end();
  return buffer(zip.outputStream);
}

/**
 * A key for node-forge that signs with OpenSSL, which takes 1 ms of CPU for what node-forge's own arithmetic takes 20. PKCS #1 v1.5 signs
 * the DER of the hash with its algorithm (RFC 8017 §9.2).
 */
function nativeKey(pem: string): forge.pki.rsa.PrivateKey {
  const sha256 = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const sign = (hash: forge.md.MessageDigest) => {
    const info = Buffer.concat([sha256, Buffer.from(hash.digest().getBytes(), "binary")]);
    return privateEncrypt({ key: pem, padding: constants.RSA_PKCS1_PADDING }, info).toString("binary");
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only method that signing calls
  return { sign } as unknown as forge.pki.rsa.PrivateKey;
}

/** A detached PKCS #7 signature with Apple's intermediate certificate and the current time, which Wallet requires. */
function signManifest(manifest: Buffer, { certificate, key, wwdr }: PassSigner): Buffer {
  const { oids } = forge.pki;
  const signed = forge.pkcs7.createSignedData();
  signed.content = forge.util.createBuffer(manifest.toString("binary"));
  const own = forge.pki.certificateFromPem(certificate);
  signed.addCertificate(forge.pki.certificateFromPem(wwdr));
  signed.addCertificate(own);
  signed.addSigner({
    key: nativeKey(key),
    certificate: own,
    digestAlgorithm: oids["sha256"] ?? "",
    authenticatedAttributes: [
      { type: oids["contentType"] ?? "", value: oids["data"] ?? "" },
      { type: oids["messageDigest"] ?? "" },
      { type: oids["signingTime"] ?? "" },
    ],
  });
  signed.sign({ detached: true });
  return Buffer.from(forge.asn1.toDer(signed.toAsn1()).getBytes(), "binary");
}
