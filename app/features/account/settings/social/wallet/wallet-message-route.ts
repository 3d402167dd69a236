import { data } from "react-router";

import { readFields } from "#app/features/account/schema.ts";
import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/wallet-message-route.ts";
import { askWallet } from "./wallet-data.server.ts";

/** Returns the text that a wallet has to sign. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  if (!all.auth.hasWallets) throwNotFound(context, url);
  const { purpose, address: wallet = "" } = await readFields(request);
  const { address } = context.get(requestContext);
  const userId = purpose === "connect" ? viewer(context)?.id : undefined;
  if (purpose !== "sign-in" && userId === undefined) throw data(null, { status: 400 });
  const asked = await askWallet(all, { address, wallet, userId });
  if (asked.kind !== "made") throw data(null, { status: asked.kind === "rate-limited" ? 429 : 400 });
  const headers = cookieHeaders(asked.cookies);
  headers.set("content-type", "text/plain; charset=utf-8");
  headers.set("cache-control", "no-store");
  return new Response(asked.message, { headers });
}
