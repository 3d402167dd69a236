import { findOwnCard } from "#app/features/cards/data.server.ts";
import { functionError } from "#app/services/features/server-function.ts";
import type { FunctionCall, FunctionResult } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";

import { readStoredDesign } from "#app/features/wallet/design/design-data.server.ts";

/** `GET pass-version?card=<id>`: the version of the pass's design, for editors, which are notified of a save elsewhere. */
export async function readPassVersion({ db }: Services, { user, query }: FunctionCall): Promise<FunctionResult> {
  const card = await findOwnCard(db, { ownerId: user.id, id: query.get("card") ?? "" });
  if (!card) return functionError(404, "There is no such card.");
  const { version } = await readStoredDesign(db, card.id);
  return { body: { version } };
}
