import { generateKeyPairSync, randomBytes } from "node:crypto";

import forge from "node-forge";

/** All as PEM; `p12` is the certificate with its key, as Keychain Access exports them. */
export type DemoCertificates = { root: string; wwdr: string; certificate: string; key: string; p12: Buffer };

type DemoOptions = {
  passTypeId: string;
  teamId: string;
  /** Of the .p12 file. */
  password: string;
  /** Epoch milliseconds. */
  validFrom: number;
  validTo: number;
};

/**
 * A chain like Apple's: a root, an intermediate certificate in place of Apple's WWDR, and the certificate of a pass type. It is for
 * development and tests: no iPhone trusts it, and every name in it says so.
 */
export function createDemoCertificates({ passTypeId, teamId, password, ...dates }: DemoOptions): DemoCertificates {
  const [rootKeys, wwdrKeys, ownKeys] = [createKeys(), createKeys(), createKeys()];
  const rootName = [field("2.5.4.3", "DEMO root, not Apple"), field("2.5.4.10", demoName)];
  const wwdrName = [field("2.5.4.3", "DEMO WWDR, not Apple"), field("2.5.4.10", demoName)];
  const root = certify({
    ...dates,
    subject: rootName,
    keys: rootKeys,
    issuer: rootName,
    signer: rootKeys,
    isAuthority: true,
  });
  const wwdr = certify({
    ...dates,
    subject: wwdrName,
    keys: wwdrKeys,
    issuer: rootName,
    signer: rootKeys,
    isAuthority: true,
  });
  const subject = [
    field("0.9.2342.19200300.100.1.1", passTypeId),
    field("2.5.4.3", `DEMO Pass Type ID: ${passTypeId}`),
    field("2.5.4.11", teamId),
    field("2.5.4.10", demoName),
  ];
  const own = certify({ ...dates, subject, keys: ownKeys, issuer: wwdrName, signer: wwdrKeys, isAuthority: false });
  const container = forge.pkcs12.toPkcs12Asn1(ownKeys.privateKey, [own], password, { algorithm: "3des" });
  return {
    root: forge.pki.certificateToPem(root),
    wwdr: forge.pki.certificateToPem(wwdr),
    certificate: forge.pki.certificateToPem(own),
    key: forge.pki.privateKeyToPem(ownKeys.privateKey),
    p12: Buffer.from(forge.asn1.toDer(container).getBytes(), "binary"),
  };
}

const demoName = "DEMO for development only";

type Keys = { privateKey: forge.pki.rsa.PrivateKey; publicKey: forge.pki.rsa.PublicKey };

/** Node makes keys fifty times as fast as forge. */
function createKeys(): Keys {
  const pem = {
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  } as const;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048, ...pem });
  const parsed = forge.pki.publicKeyFromPem(publicKey);
  return { privateKey: forge.pki.privateKeyFromPem(privateKey), publicKey: parsed };
}

type Field = { type: string; value: string };

/** A part of a name, by its object identifier. */
const field = (type: string, value: string): Field => ({ type, value });

type CertifyOptions = {
  subject: Field[];
  keys: Keys;
  issuer: Field[];
  signer: Keys;
  isAuthority: boolean;
  validFrom: number;
  validTo: number;
};

function certify({ subject, keys, issuer, signer, isAuthority, validFrom, validTo }: CertifyOptions) {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  // Positive, as RFC 5280 §4.1.2.2 asks.
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  certificate.validity.notBefore = new Date(validFrom);
  certificate.validity.notAfter = new Date(validTo);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions([
    { name: "basicConstraints", critical: true, cA: isAuthority },
    isAuthority
      ? { name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true }
      : { name: "keyUsage", critical: true, digitalSignature: true },
    { name: "subjectKeyIdentifier" },
  ]);
  certificate.sign(signer.privateKey, forge.md.sha256.create());
  return certificate;
}
