import { data } from "react-router";

import { listCardShares } from "#app/features/cards/own-share.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { profileShare } from "#app/features/profile/own-share.server.ts";
import { services } from "#app/services/context.ts";

import type { Route } from "./+types/signature-route.ts";
import type { OwnShare } from "./share-subject.ts";
import { signaturePage } from "./signature-preview.ts";

/** The owner's signature as a page of its own: what the Share page shows in a frame, and what can be selected and copied by hand. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { config } = services(context);
  const profile = await loadOwnProfile(context);
  const own: OwnShare | undefined = params.id
    ? (await listCardShares(context, profile)).find(({ id }) => id === params.id)
    : { subject: profileShare(profile, config.baseUrl) };
  if (!own || "hidden" in own) throw data(null, { status: 404 });
  const { html, policy } = signaturePage(own.subject.signature, { isDark: url.searchParams.has("dark") });
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
    },
  });
}
