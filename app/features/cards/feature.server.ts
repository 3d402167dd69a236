import type { Feature } from "#app/services/features/feature.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { addMissingCodes } from "./code-data.server.ts";
import { cardsExport } from "./exported-data.server.ts";

export const feature: Feature = {
  bodyLimits: [{ path: "/cards", maxBytes: formBytes.editors }],
  dataExport: cardsExport,
  maintenance: [{ name: "short addresses of cards", run: addMissingCodes }],
  publicPages: ["/c/:code", "/card/:id", "/u/:owner/card"],
  offline: { pages: ["/cards/*", "/card/*", "/c/*"] },
};
