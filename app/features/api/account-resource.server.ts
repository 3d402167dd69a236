import { z } from "zod";

import { checkSubscription } from "#app/features/billing/data.server.ts";
import { countCards } from "#app/features/cards/data.server.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Resource } from "#app/services/api/resource.ts";
import { timeOutput, toTime } from "#app/services/api/schemas.ts";

const accountOutput = z
  .object({
    id: z.string(),
    email: z.string(),
    plan: z.object({
      id: z.string(),
      name: z.string(),
      endsAt: timeOutput.nullable().describe("null: without an end."),
      maxCards: z.int().nullable().describe("null: as many as you like."),
    }),
    usage: z.object({ cards: z.int() }),
  })
  .meta({ id: "Account" });

export const accountResource: Resource = {
  name: "account",
  title: "Account",
  description: "The account that the key belongs to.",
  operations: [
    operation({
      id: "getAccount",
      method: "GET",
      path: "/account",
      summary: "Get your plan and usage",
      scope: "account:read",
      response: { status: 200, schema: accountOutput },
      async run(services, { owner }) {
        const { plan, endsAt } = await checkSubscription(services, owner.id);
        const { id, name, maxCards } = plan;
        return {
          body: {
            id: owner.id,
            email: owner.email,
            plan: {
              id,
              name,
              endsAt: endsAt === null ? null : toTime(endsAt),
              maxCards: Number.isFinite(maxCards) ? maxCards : null,
            },
            usage: { cards: await countCards(services.db, owner.id) },
          },
        };
      },
    }),
  ],
};
