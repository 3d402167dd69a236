import { z } from "zod";

import { findOwnCard } from "#app/features/cards/data.server.ts";
import { messages } from "#app/features/cards/messages.ts";
import { scheduleGoogleUpdates } from "#app/features/wallet/google/google-pass-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { functionError } from "#app/services/features/server-function.ts";
import type { FunctionCall, FunctionResult, ServerFunction } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";
import { readStoredDesign } from "#app/features/wallet/design/design-data.server.ts";

import { findPassStatus } from "./pass-status-data.server.ts";
import { schedulePassUpdates } from "./update-data.server.ts";

/** The server function of the specification (document 2, section 7). */
export const pushPassUpdate: ServerFunction = { name: "push-pass-update", method: "POST", run: pushUpdate };

/** `changedFields` only informs: what a pass shows decides whether it has changed. */
const inputSchema = z.object({
  cardId: z.string().min(1).max(100),
  changedFields: z.array(z.string().max(100)).max(100).optional(),
});

async function pushUpdate(services: Services, { user, input }: FunctionCall): Promise<FunctionResult> {
  const parsed = inputSchema.safeParse(input);
  if (!parsed.success) return functionError(400, "Send the cardId, and changedFields as a list of names.");
  const { db, applePasses, googleWallet } = services;
  const { cardId } = parsed.data;
  const card = await findOwnCard(db, { ownerId: user.id, id: cardId });
  if (!card) return functionError(404, messages.modalNotFound.title, messages.modalNotFound.text);
  if (applePasses.state !== "ready" && !googleWallet)
    return functionError(503, "Passes aren’t configured on this site.");
  await transact(db, async (trx) => {
    await schedulePassUpdates(services, trx, { ownerId: user.id });
    await scheduleGoogleUpdates(services, trx, { cardId });
  });
  const { devices } = await findPassStatus(db, cardId);
  return { body: { success: true, devices } };
}

/** `GET pass-version?card=<id>`: the version of the pass's design, for editors, which are notified of a save elsewhere. */
export async function readPassVersion({ db }: Services, { user, query }: FunctionCall): Promise<FunctionResult> {
  const card = await findOwnCard(db, { ownerId: user.id, id: query.get("card") ?? "" });
  if (!card) return functionError(404, "There is no such card.");
  const { version } = await readStoredDesign(db, card.id);
  return { body: { version } };
}
