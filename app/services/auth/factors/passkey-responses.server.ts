import { z } from "zod";

const base64url = z.string().regex(/^[\w-]{1,20000}$/);
const common = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
};
const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});
const authentication = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.max(200).optional(),
  }),
});

export type RegistrationResponse = z.infer<typeof registration>;
export type AuthenticationResponse = z.infer<typeof authentication>;

/** What a browser returned for a new passkey; undefined for anything else. */
export function readRegistration(json: string): RegistrationResponse | undefined {
  return registration.safeParse(parseJson(json)).data;
}

/** What a browser returned for a passkey that was used; undefined for anything else. */
export function readAuthentication(json: string): AuthenticationResponse | undefined {
  return authentication.safeParse(parseJson(json)).data;
}

/** The challenge that a response says it signed. */
export function challengeOf({ response }: RegistrationResponse | AuthenticationResponse): string {
  const clientData = parseJson(Buffer.from(response.clientDataJSON, "base64url").toString());
  return z.object({ challenge: base64url.max(100) }).safeParse(clientData).data?.challenge ?? "";
}

/** Loaded with the first passkey: it takes up 14 MB. */
export function loadPasskeyLibrary() {
  return import("@simplewebauthn/server");
}

type RelyingParty = ReturnType<typeof relyingPartyOf>;

/** Our site for passkeys: they belong to the host of BASE_URL and are used on its pages only. */
export function relyingPartyOf(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  return { id: hostname, origin };
}

/** The new passkey, if the response is one to this challenge on our site, and the authenticator knows its user (PIN, fingerprint, face). */
export async function verifyRegistration(response: RegistrationResponse, { id, origin }: RelyingParty) {
  const { verifyRegistrationResponse } = await loadPasskeyLibrary();
  const verified = await unlessRefused(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challengeOf(response),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { credential, credentialDeviceType } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    isSynced: credentialDeviceType === "multiDevice",
  };
}

type Used = {
  passkey: { credential_id: string; public_key: string; counter: number; is_synced: 0 | 1 };
  relyingParty: RelyingParty;
  needsUserVerification: boolean;
};

/**
 * The passkey's new counter, if its signature is right. The counter of a passkey on one device only grows: a smaller one comes from a copy of
 * the device. Passkeys that are synced don't count (WebAuthn Level 3 §6.1.1).
 */
export async function verifyAuthentication(
  response: AuthenticationResponse,
  { passkey, relyingParty, needsUserVerification }: Used,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadPasskeyLibrary();
  const verified = await unlessRefused(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeOf(response),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: needsUserVerification,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
        counter: passkey.is_synced ? 0 : passkey.counter,
      },
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}

/** The library throws for every response that it refuses. */
async function unlessRefused<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
