import type { Feature } from "#app/services/features/feature.ts";
import { formBytes } from "#app/services/http/form-body.ts";

/** A note that is far too long comes back with its error, as in the editors. */
export const feature: Feature = {
  bodyLimits: ["/leads/new", "/leads/scan"].map((path) => ({ path, maxBytes: formBytes.editors })),
};
