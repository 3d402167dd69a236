import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createClient } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";

import { createAccessTokens } from "#app/services/auth/apps/access-tokens.server.ts";
import { startAppSession } from "#app/services/auth/apps/app-sessions.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { clientKey } from "#app/services/client-api/client-route.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import type { Program } from "./program.ts";

function secretOf({ dataDir }: Pick<Program, "dataDir">): string {
  const text = readFileSync(join(dataDir, "secrets.json"), "utf8");
  return z.object({ auth: z.string() }).parse(JSON.parse(text)).auth;
}

/** The public key of a program, for apps. */
export function keyOf(program: Pick<Program, "dataDir">): string {
  return clientKey({ signForever: createTextSigner(secretOf(program)) });
}

/** The published client of a program, until the end of the test, with a new session of this user in the program's database. */
export async function connectApp(
  { url, dataDir }: Pick<Program, "url" | "dataDir">,
  { db, engine, userId }: { db: Db; engine: Engine; userId: string },
): Promise<SupabaseClient> {
  const secret = secretOf({ dataDir });
  const accessTokens = createAccessTokens({ secret, baseUrl: url });
  const session = { userId, method: "password", isFull: true, browser: "App", verifiedAt: 0 } as const;
  const { accessToken } = await transact(db, (trx) => startAppSession({ engine, accessTokens }, trx, session));
  const client = createClient(url, keyOf({ dataDir }), {
    accessToken: async () => accessToken,
    realtime: { timeout: 300_000 },
  });
  cleanUpAfterTest(() => void client.realtime.disconnect());
  await client.realtime.setAuth();
  return client;
}
