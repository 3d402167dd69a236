import { data, redirect } from "react-router";

import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { loadPassContent } from "#app/features/wallet/pass-content.server.ts";
import { markPublicPage, requestContext, services } from "#app/services/http/context.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";
import { contentDisposition, safeFileName } from "#app/services/http/file-name.ts";
import { busyResponse, fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/pass-route.ts";
import { applePassType, loadApplePass } from "./pass-file.server.ts";

export { rejectWrites as action };

/**
 * The card as a pass for Apple Wallet, always the current one, and cached like the card's page. The same 404 where passes aren't configured
 * as for a card that visitors can't open. A
 * browser that opens a pass which can't be made now goes on to a page that says so.
 */
export const loader = fileLoader(
  async ({ request, context, ...args }: Route.LoaderArgs) => {
    const all = services(context);
    const loaded = await loadPublicCard(context, args);
    const content = await loadPassContent(all, loaded);
    const requestedBy = context.get(requestContext).address;
    const pass = await loadApplePass(all, { content, ownerId: loaded.ownerId, requestedBy });
    const isBrowser = request.headers.get("accept")?.includes("text/html");
    const toProblem = () => redirect(`${loaded.card.path}/pass`, { headers: { "cache-control": "no-store" } });
    if (!pass) {
      if (isBrowser) return toProblem();
      throw data(null, { status: 404 });
    }
    const headers = {
      etag: pass.etag,
      "last-modified": new Date(pass.changedAt).toUTCString(),
      "cache-control": "no-cache",
      "x-robots-tag": "noindex",
    };
    if (isUnchanged(request, pass)) return new Response(null, { status: 304, headers });
    const body = await pass.read().catch((error: unknown) => {
      if (!isBrowser) throw error;
      logFailure(all.log, error, "a wallet pass could not be made");
    });
    if (!body || body === "busy") return isBrowser ? toProblem() : busyResponse();
    // Everything that it shows changes with an event of the owner, or at one of these times.
    const endsAt = Math.min(pass.expiresAt, loaded.endsAt ?? Infinity);
    const subject = `card:${loaded.card.id}`;
    markPublicPage(context, { ownerId: loaded.ownerId, subject, countsAs: "wallet", endsAt, isFile: true });
    const name = safeFileName(content.name, { extension: "pkpass", otherwise: "card" });
    return new Response(body, {
      headers: {
        ...headers,
        "content-type": applePassType,
        "content-length": String(body.byteLength),
        // Inline: Safari opens the pass, where it would store an attachment among its downloads.
        "content-disposition": contentDisposition("inline", name, "card"),
      },
    });
  },
  { isOpenedByVisitors: true },
);

/** RFC 9110 §13.2.2: If-Modified-Since counts only without If-None-Match. Its dates are in whole seconds. */
function isUnchanged({ headers }: Request, { etag, changedAt }: { etag: string; changedAt: number }): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return tags.includes(etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Math.floor(changedAt / 1000) * 1000 <= since;
}
