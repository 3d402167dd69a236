import type { Feature } from "#app/services/features/feature.ts";
import { formBytes } from "#app/services/http/form-body.ts";

export const feature: Feature = {
  bodyLimits: [{ path: "/cards", maxBytes: formBytes.editors }],
  publicPages: ["/card/:id"],
  offline: { pages: ["/cards/*", "/card/*"] },
};
