import type { Services } from "#app/services/http/context.ts";
import type { Attempt } from "#app/services/http/rate-limits.server.ts";

/** Counts as many attempts as a limit has, but for those that are `left`, as if they had just been made. */
export async function useUp(
  { db, rateLimits }: Pick<Services, "db" | "rateLimits">,
  attempt: Attempt,
  { left = 0 } = {},
): Promise<void> {
  await rateLimits.reset([attempt]);
  const others = await db.selectFrom("attempt").select("key").execute();
  await rateLimits.consume([attempt]);
  await db
    .updateTable("attempt")
    .set({ count: attempt.limit.max - left })
    .where("key", "not in", ["", ...others.map(({ key }) => key)])
    .execute();
}
