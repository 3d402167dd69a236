import { Secret, TOTP } from "otpauth";

import { isEqualText } from "#app/services/base/signed-token.server.ts";

/** RFC 6238 with what every authenticator app supports: SHA-1, six digits, 30 seconds. */
const settings = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** RFC 4226 §4: 160 bits, as base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What an authenticator app reads from the QR code. `host` tells accounts on several installations apart. */
export function totpUri({ secret, email, host }: { secret: string; email: string; host: string }): string {
  return new TOTP({ ...settings, issuer: `Meishi (${host})`, label: email, secret }).toString();
}

/**
 * The time step whose code was given, at most one before or after the current one: clocks may differ by 30 seconds. Steps up to `after`
 * don't count, because a code is accepted once.
 */
export function findTotpStep({ secret, code, after }: { secret: string; code: string; after: number }) {
  const key = Secret.fromBase32(secret);
  const current = TOTP.counter({ period: settings.period, timestamp: Date.now() });
  return [current, current - 1, current + 1].find(
    (step) => step > after && isEqualText(code.replace(/[\s-]/g, ""), totpCode(key, step)),
  );
}

function totpCode(secret: Secret, step: number): string {
  return TOTP.generate({ ...settings, secret, timestamp: step * settings.period * 1000 });
}
