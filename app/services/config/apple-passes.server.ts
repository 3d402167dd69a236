import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyObject } from "node:crypto";

import type { Logger } from "pino";

import type { Config } from "./config.server.ts";

type ApplePassSettings = NonNullable<Config["applePasses"]>;

/** What passes are signed with. The texts are PEM; the key is PKCS #8 without a password. */
export type PassSigner = {
  passTypeId: string;
  teamId: string;
  certificate: string;
  key: string;
  wwdr: string;
  /** When the first of the two certificates ends, in epoch milliseconds. */
  expiresAt: number;
  /** A server on this machine that takes the part of Apple's push service in a test. */
  pushUrl?: string | undefined;
};

export type ApplePasses =
  | { state: "off" }
  /** Each problem is a sentence that starts with the setting's name. */
  | { state: "invalid"; problems: string[] }
  | { state: "ready"; signer: PassSigner };

/**
 * Checks what passes are signed with: readable, in force, of this pass type and team, the key belongs to the certificate, and Apple's
 * intermediate certificate issued it. `now` in epoch milliseconds. Wrong settings are logged: they don't stop the site.
 */
export async function openApplePasses(
  settings: ApplePassSettings | undefined,
  { now, log }: { now: number; log: Logger },
): Promise<ApplePasses> {
  if (!settings) return { state: "off" };
  const { passTypeId, teamId, pushUrl } = settings;
  const problems = [...settings.problems];
  const { certificate, key } = await readOwn(settings, problems);
  const wwdr = settings.wwdr && readWwdr(settings.wwdr, problems);
  if (certificate) problems.push(...certificateProblems(certificate, { key, wwdr, settings, now }));
  if (wwdr) problems.push(...dateProblems("APPLE_WWDR_CERTIFICATE", wwdr, now));
  if (problems.length > 0 || !certificate || !key || !wwdr || !passTypeId || !teamId) {
    log.error({ problems }, "There are no Apple Wallet passes, because their settings are wrong");
    return { state: "invalid", problems };
  }
  const signer = {
    passTypeId,
    teamId,
    certificate: certificate.toString(),
    key: key.export({ type: "pkcs8", format: "pem" }),
    wwdr: wwdr.toString(),
    expiresAt: Math.min(certificate.validToDate.getTime(), wwdr.validToDate.getTime()),
    pushUrl,
  };
  return { state: "ready", signer };
}

/** What to sign with now; undefined where passes aren't configured, and once a certificate has expired. */
export function findSigner(passes: ApplePasses, now: number): PassSigner | undefined {
  return passes.state === "ready" && now < passes.signer.expiresAt ? passes.signer : undefined;
}

type OwnCertificate = { certificate: X509Certificate | undefined; key: KeyObject | undefined };

async function readOwn(settings: ApplePassSettings, problems: string[]): Promise<OwnCertificate> {
  const { certificate: file, key, password = "" } = settings;
  if (!file) return { certificate: undefined, key: undefined };
  if (isPkcs12(file) && !key) return readPkcs12(file, password, problems);
  const certificate = parseCertificate(file);
  if (!certificate) problems.push("APPLE_PASS_CERTIFICATE is not a certificate.");
  if (!key && !problems.some((problem) => problem.startsWith("APPLE_PASS_KEY")))
    problems.push("APPLE_PASS_KEY must also be set.");
  return { certificate, key: key && readKey(key, password, problems) };
}

function readKey(file: Buffer, password: string, problems: string[]): KeyObject | undefined {
  try {
    const parsed = createPrivateKey({ key: file, format: "pem", passphrase: password });
    if (parsed.asymmetricKeyType === "rsa") return parsed;
  } catch {
    // Its message could repeat the key.
  }
  problems.push("APPLE_PASS_KEY is not an RSA key in PEM format, or APPLE_PASS_PASSWORD is not its password.");
  return undefined;
}

function readWwdr(file: Buffer, problems: string[]): X509Certificate | undefined {
  const wwdr = parseCertificate(file);
  if (wwdr?.ca) return wwdr;
  problems.push("APPLE_WWDR_CERTIFICATE is not the certificate of an authority.");
  return undefined;
}

function parseCertificate(file: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(file);
  } catch {
    return undefined;
  }
}

/** PKCS #12 (RFC 7292) starts with a sequence whose first element is the version, 3. A certificate starts with two sequences. */
function isPkcs12(file: Buffer): boolean {
  return file[0] === 0x30 && file.subarray(1, 10).includes(Buffer.from([0x02, 0x01, 0x03]));
}

/** The certificate and the key of a .p12 file, as Keychain Access exports it. */
async function readPkcs12(file: Buffer, password: string, problems: string[]): Promise<OwnCertificate> {
  const { default: forge } = await import("node-forge");
  const { pki } = forge;
  try {
    const container = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(file.toString("binary")), password);
    const bagsOf = (type = "") => container.getBags({ bagType: type })[type] ?? [];
    const keys = [...bagsOf(pki.oids["pkcs8ShroudedKeyBag"]), ...bagsOf(pki.oids["keyBag"])];
    const key = keys.flatMap((bag) => (bag.key ? createPrivateKey(pki.privateKeyToPem(bag.key)) : []))[0];
    const certificates = bagsOf(pki.oids["certBag"]).flatMap(({ cert }) =>
      cert ? new X509Certificate(pki.certificateToPem(cert)) : [],
    );
    if (!key) problems.push("APPLE_PASS_CERTIFICATE is a .p12 file without a private key. Export both together.");
    if (certificates.length === 0) problems.push("APPLE_PASS_CERTIFICATE is a .p12 file without a certificate.");
    return { certificate: certificates.find((one) => key && one.checkPrivateKey(key)) ?? certificates[0], key };
  } catch {
    problems.push("APPLE_PASS_PASSWORD is not the password of the .p12 file, or the file is damaged.");
    return { certificate: undefined, key: undefined };
  }
}

type Found = {
  key: KeyObject | undefined;
  wwdr: X509Certificate | undefined;
  settings: ApplePassSettings;
  now: number;
};

function certificateProblems(certificate: X509Certificate, { key, wwdr, settings, now }: Found): string[] {
  const problems = [
    ...subjectProblems(certificate, settings),
    ...dateProblems("APPLE_PASS_CERTIFICATE", certificate, now),
  ];
  if (key && !certificate.checkPrivateKey(key))
    problems.push("APPLE_PASS_KEY is not the key of APPLE_PASS_CERTIFICATE.");
  if (wwdr && !isIssuedBy(certificate, wwdr))
    problems.push(`APPLE_WWDR_CERTIFICATE didn't issue APPLE_PASS_CERTIFICATE: ${issuerOf(certificate)} did.`);
  return problems;
}

/** Apple writes the pass type ID as the UID of the subject, and the team ID as its OU. */
function subjectProblems(certificate: X509Certificate, { passTypeId, teamId }: ApplePassSettings): string[] {
  const of = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(certificate.subject)?.[1] ?? "";
  const [ownType, ownTeam] = [of("UID"), of("OU")];
  if (!ownType) return ["APPLE_PASS_CERTIFICATE is not the certificate of a pass type: its subject has no UID."];
  return [
    ...(ownType === passTypeId
      ? []
      : [`APPLE_PASS_CERTIFICATE is for the pass type ${ownType}, but APPLE_PASS_TYPE_ID is another one.`]),
    ...(ownTeam === teamId
      ? []
      : [`APPLE_PASS_CERTIFICATE is of the team ${ownTeam || "(none)"}, but APPLE_TEAM_ID is another one.`]),
  ];
}

function dateProblems(name: string, { validFromDate, validToDate }: X509Certificate, now: number): string[] {
  if (now >= validToDate.getTime()) return [`${name} expired on ${dayOf(validToDate)}. Create a new one at Apple.`];
  if (now < validFromDate.getTime())
    return [`${name} is valid only from ${dayOf(validFromDate)}. Check this machine's clock.`];
  return [];
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function issuerOf({ issuer }: X509Certificate): string {
  return (
    ["CN", "OU"].flatMap((name) => new RegExp(`^${name}=(.*)$`, "m").exec(issuer)?.[1] ?? []).join(", ") || "unknown"
  );
}
