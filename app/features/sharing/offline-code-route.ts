import { data } from "react-router";

import { listCardShares } from "#app/features/cards/own-share.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";
import { rasterise } from "#app/services/rasterise.server.ts";

import type { Route } from "./+types/offline-code-route.ts";
import { offlineFields, offlineQr } from "./offline-qr.ts";
import type { QrDrawing } from "./share-view.tsx";

export { refuseWrites as action };

/** The owner's contact as a code, as `contact-code.svg` and `.png`; `?without=phone&without=url` leaves these out. */
export const loader = fileLoader(async ({ params, context, url }: Route.LoaderArgs) => {
  const profile = await loadOwnProfile(context);
  const own = (await listCardShares(context, profile)).find(({ id }) => id === params.id);
  const contact = own && "subject" in own ? own.subject.contact : undefined;
  if (!contact) throw data(null, { status: 404 });
  const without = url.searchParams.getAll("without");
  const qr = offlineQr(
    contact,
    offlineFields.filter((field) => !without.includes(field)),
  );
  if (qr.kind === "too-much")
    return plainText("This is more than a code can hold. Leave something out.", { status: 422 });
  const svg = svgOf(qr.code);
  const isPng = url.pathname.endsWith(".png");
  return new Response(isPng ? new Uint8Array(await rasterise(svg)) : svg, {
    headers: { "content-type": isPng ? "image/png" : "image/svg+xml", "cache-control": "private, no-cache" },
  });
});

/** Every module the same whole number of pixels, a thousand pixels in all or more. */
function svgOf({ size, d }: QrDrawing): string {
  const width = size * Math.ceil(1000 / size);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" ` +
    `role="img" aria-label="QR code with a contact"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="none" stroke="#000" d="${d}"/></svg>`
  );
}
