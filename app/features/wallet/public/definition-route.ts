import { data } from "react-router";

import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { passDefinition } from "#app/features/wallet/apple/pass-json.ts";
import { walletMessages } from "#app/features/wallet/messages.ts";
import { loadPassContent } from "#app/features/wallet/pass-content.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { contentDisposition } from "#app/services/http/file-name.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/definition-route.ts";

export { rejectWrites as action };

/** What a card's pass is made of, for its owner: the fallback of `generate-wallet-pass` as a file, which needs no script. */
export const loader = fileLoader(async ({ params, context }: Route.LoaderArgs) => {
  const { id } = requireUser(context);
  const all = services(context);
  const loaded = await findFirstCard(all, { id: params.id });
  if (loaded?.ownerId !== id) throw data(null, { status: 404 });
  const definition = passDefinition(await loadPassContent(all, loaded));
  return new Response(JSON.stringify(definition, undefined, 2), {
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      "content-disposition": contentDisposition("attachment", walletMessages.definitionName, "pass"),
    },
  });
});
