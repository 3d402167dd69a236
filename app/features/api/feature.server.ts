import { createHash } from "node:crypto";

import type { Handler } from "hono";
import { sql } from "kysely";

import { apiPath } from "#app/services/api/api-route.server.ts";
import { repeatMs } from "#app/services/api/call-data.server.ts";
import { deleteKeysOfOwner, listKeys } from "#app/services/api/key-data.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";

import { accountResource } from "./account-resource.server.ts";

const endedKeyMs = 90 * 86_400_000;

export const feature: Feature = {
  resources: [accountResource],
  rawRoutes: ["/openapi.json", `${apiPath}/openapi.json`].map((path) => ({
    method: "GET",
    path,
    authentication: "none: public read",
    handler: serveDocument,
  })),
  subscribers: [
    {
      name: "api keys",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteKeysOfOwner(trx, ownerId),
    },
  ],
  storedData: [
    {
      name: "API keys",
      about: "owners",
      what: "The names, scopes and hashes of your API keys, and the day and the program of each one's last call",
      why: "so that programs can act for you, and you can see which do",
      howLong: "until 90 days after a key has expired or was revoked",
      deleteOld: ({ db, clock }) =>
        deleteInParts(db, { from: "api_key", key: ["id"], where: sql`expires_at < ${clock() - endedKeyMs}` }),
    },
    {
      name: "API calls with an Idempotency-Key",
      about: "owners",
      what: "The responses to your programs' calls that have an Idempotency-Key",
      why: "so that a repeated call isn't carried out twice",
      howLong: `${repeatMs / 3_600_000} hours`,
      deleteOld: ({ db, clock }) =>
        deleteInParts(db, {
          from: "api_call",
          key: ["key_id", "idempotency_key"],
          where: sql`created_at < ${clock() - repeatMs}`,
        }),
    },
  ],
  dataExport: {
    tables: ["api_key"],
    leftOut: { api_call: "repeats what the resources themselves say, for a day" },
    explanations: [{ name: "apiKeys", text: "In data.json: your API keys, without the keys themselves." }],
    sections: ({ db, ownerId }) => ({ apiKeys: () => listKeys(db, ownerId) }),
  },
};

/** The OpenAPI document. It changes with the version of the software alone. */
function serveDocument({ apiDocument }: Services): Handler<AppEnv> {
  let served: { json: string; headers: Record<string, string> } | undefined;
  return (c) => {
    const { json, headers } = (served ??= writeDocument(apiDocument()));
    const isKnown = c.req.header("if-none-match")?.includes(headers["etag"] ?? "") ?? false;
    return isKnown ? c.body(null, 304, headers) : c.body(json, 200, { ...headers, "content-type": "application/json" });
  };
}

function writeDocument(document: object) {
  const json = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  // Public: tools in any page may read it.
  return { json, headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*", etag } };
}
