import { findPlan } from "#app/features/billing/data.server.ts";
import { ensureProfile } from "#app/features/profile/data.server.ts";
import { passImageOf } from "#app/features/uploads/rules.ts";
import type { UploadDeps } from "#app/features/uploads/upload-handler.server.ts";

/** Uploaded images of wallet passes are part of Premium. */
const findPlanRefusal: UploadDeps["findPlanRefusal"] = async (services, { ownerId, slot }) => {
  if (!passImageOf(slot)) return undefined;
  const { hasOwnPassImages } = await findPlan(services, ownerId);
  return hasOwnPassImages ? undefined : { message: "Your own images on a pass are part of Premium." };
};

/** What uploads need to know of their owner. A first upload creates the profile that it belongs to. */
export const uploadDeps: UploadDeps = { ensureProfile, findPlanRefusal };
