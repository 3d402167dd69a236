import type { Feature } from "#app/services/features/feature.ts";
import { functionError } from "#app/services/features/server-function.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { findOwnCard } from "./data.server.ts";
import { cardsExport } from "./exported-data.server.ts";

export const feature: Feature = {
  functions: [
    {
      // For editors that hear of a save elsewhere.
      name: "card-version",
      method: "GET",
      run: async ({ db }, { user, query }) => {
        const card = await findOwnCard(db, { ownerId: user.id, id: query.get("card") ?? "" });
        return card ? { body: { version: card.version } } : functionError(404, "There is no such card.");
      },
    },
  ],
  bodyLimits: [{ path: "/cards", maxBytes: formBytes.editors }],
  dataExport: cardsExport,
  publicPages: ["/c/:code", "/card/:id", "/u/:owner/card"],
  offline: { pages: ["/cards/*", "/card/*", "/c/*"] },
};
