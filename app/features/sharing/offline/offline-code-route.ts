import { data } from "react-router";

import { findOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";

import type { Route } from "./+types/offline-code-route.ts";
import { offlineFields, offlineQr } from "./offline-qr.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";

export { rejectWrites as action };

/** A card's contact details as a QR code: `contact-code.svg` and `.png`. `?without=phone&without=url` leaves out these fields. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { params, context, url } = args;
  const own = await findOwnShare(context, params.id);
  const contact = own && "subject" in own ? own.subject.contact : undefined;
  if (!contact) throw data(null, { status: 404 });
  const without = url.searchParams.getAll("without");
  const qr = offlineQr(
    contact,
    offlineFields.filter((field) => !without.includes(field)),
  );
  if (qr.kind === "too-much")
    return plainTextResponse("This is too much for one QR code. Leave something out.", { status: 422 });
  const svg = codeSvg(qr.code);
  const isPng = url.pathname.endsWith(".png");
  return imageResponse(args, {
    ownerId: requireUser(context).id,
    kind: isPng ? "contact-code.png 1" : "contact-code.svg 1",
    content: svg,
    type: isPng ? "image/png" : "image/svg+xml",
    isPrivate: true,
    draw: async () => (isPng ? services(context).workers.run(rasterizeTask, { svg }) : Buffer.from(svg)),
  });
});

/** At least 1,000 pixels wide; all modules are the same integer number of pixels wide. */
function codeSvg({ size, d }: QrDrawing): string {
  const width = size * Math.ceil(1000 / size);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" ` +
    `role="img" aria-label="QR code with contact details"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="none" stroke="#000" d="${d}"/></svg>`
  );
}
