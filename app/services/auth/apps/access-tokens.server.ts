import { createECDH, createHash, hkdfSync } from "node:crypto";

import { errors, importJWK, jwtVerify, SignJWT } from "jose";
import type { JWK } from "jose";
import { z } from "zod";

/** How the user of a session proved who they are (RFC 8176); `timestamp` in seconds since 1970. */
export type Proof = z.infer<typeof proofSchema>;

export const proofSchema = z.object({ method: z.string(), timestamp: z.number() });

export type AccessClaims = { userId: string; sessionId: string; email: string; proofs: Proof[] };

/** 15 minutes: a client of the specification refreshes a token 90 seconds before it expires. */
const validSeconds = 15 * 60;

/**
 * Signs the access tokens of apps (RFC 7519, ES256) with a key that is derived from the installation's secret, so all its processes sign
 * alike. A token says who signed in; whether the session still runs is looked up with each request.
 */
export function createAccessTokens({ secret, baseUrl }: { secret: string; baseUrl: string }, seconds = validSeconds) {
  const { privateJwk, publicJwk } = deriveKeys(secret);
  const issuer = `${baseUrl}/auth/v1`;
  const audience = "authenticated";
  const keys = Promise.all([importJWK(privateJwk, "ES256"), importJWK(publicJwk, "ES256")]);

  /** `expiresAt`: seconds since 1970. */
  async function sign({ userId, sessionId, email, proofs }: AccessClaims) {
    const [privateKey] = await keys;
    const issuedAt = Math.floor(Date.now() / 1000);
    const expiresAt = issuedAt + seconds;
    const aal = proofs.some(({ method }) => method === "totp") ? "aal2" : "aal1";
    const claims = { role: audience, email, aal, amr: proofs, session_id: sessionId };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", typ: "JWT", kid: publicJwk.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
    return { token, seconds, expiresAt };
  }

  /** The session of a token; "expired" or "malformed" for one that isn't valid. */
  async function verify(token: string): Promise<VerifiedToken | "expired" | "malformed"> {
    try {
      const [, publicKey] = await keys;
      const { payload } = await jwtVerify(token, publicKey, { issuer, audience, algorithms: ["ES256"] });
      const claims = claimSchema.safeParse(payload).data;
      return claims ? { userId: claims.sub, sessionId: claims.session_id, expiresAt: claims.exp } : "malformed";
    } catch (error) {
      if (error instanceof errors.JOSEError) return error instanceof errors.JWTExpired ? "expired" : "malformed";
      throw error;
    }
  }

  /** RFC 7517: the public key, for programs that check tokens themselves. */
  return { sign, verify, keySet: { keys: [publicJwk] } };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** `expiresAt`: seconds since 1970. */
type VerifiedToken = { userId: string; sessionId: string; expiresAt: number };

const claimSchema = z.object({ sub: z.string(), session_id: z.string(), exp: z.number() });

function deriveKeys(secret: string) {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(Buffer.from(hkdfSync("sha256", secret, "", "meishi access tokens", 32)));
  // Uncompressed: 4, then x and y of 32 bytes each (SEC 1 §2.3.3).
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const kid = createHash("sha256").update(point).digest("base64url").slice(0, 16);
  const shared = { kty: "EC", crv: "P-256", x, y, kid, alg: "ES256" } as const;
  const publicJwk = { ...shared, use: "sig", key_ops: ["verify"] } satisfies JWK;
  return { publicJwk, privateJwk: { ...shared, d: ecdh.getPrivateKey("base64url") } satisfies JWK };
}
