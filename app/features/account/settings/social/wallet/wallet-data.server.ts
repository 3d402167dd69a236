import type { RateLimited } from "#app/features/account/data.server.ts";
import type { ConnectResult, WalletSignInResult } from "#app/services/auth/wallets/wallets.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

const windowMs = 15 * 60_000;

const walletLimits = {
  /** Each stores a row. */
  requestsFromNetwork: { name: "wallet requests from a network", max: 100, windowMs },
  refusedFromNetwork: { name: "refused wallets from a network", max: 30, windowMs },
} as const satisfies Record<string, RateLimit>;

type WalletServices = Pick<Services, "auth" | "rateLimits">;
type Signed = { signature: string; address: string; headers: Headers };

/** The message that a wallet has to sign. */
export async function askWallet(
  { auth, rateLimits }: WalletServices,
  { address, ...asked }: { address: string; wallet: string; userId?: string | undefined },
) {
  const refused = await rateLimits.consume([{ limit: walletLimits.requestsFromNetwork, subject: networkOf(address) }]);
  if (refused) return { kind: "rate-limited" as const, ...refused };
  const made = await auth.askWallet({ address: asked.wallet, userId: asked.userId });
  return made ? { kind: "made" as const, ...made } : { kind: "no-address" as const };
}

/** Counts every attempt before it is checked; one that isn't refused doesn't count. */
export async function signInWithWallet(
  { auth, rateLimits }: WalletServices,
  signed: Signed,
): Promise<WalletSignInResult | RateLimited> {
  const network = { limit: walletLimits.refusedFromNetwork, subject: networkOf(signed.address) };
  const refused = await rateLimits.consume([network]);
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.signInWithWallet(signed);
  if (result.kind !== "refused") await rateLimits.refund([network]);
  return result;
}

/** Like `signInWithWallet`. */
export async function connectWallet(
  { auth, rateLimits }: WalletServices,
  signed: Signed & { userId: string },
): Promise<ConnectResult | RateLimited> {
  const network = { limit: walletLimits.refusedFromNetwork, subject: networkOf(signed.address) };
  const refused = await rateLimits.consume([network]);
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.connectWallet(signed);
  if (result.kind !== "refused") await rateLimits.refund([network]);
  return result;
}
