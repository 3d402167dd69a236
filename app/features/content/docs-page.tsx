import { limits as account } from "#app/features/account/rules.ts";
import * as face from "#app/features/avatar/rules.ts";
import { limits as contact } from "#app/features/contact/rules.ts";
import { importLimit } from "#app/features/links/import-text.ts";
import { previewSize } from "#app/features/sharing/preview-picture.server.ts";
import { qrSizes } from "#app/features/sharing/qr-code.ts";
import { leastContrast, qrLogos } from "#app/features/sharing/qr-style.ts";
import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { maxUploadBytes, uploadLimit } from "#app/features/uploads/rules.ts";
import { markSite, services } from "#app/services/context.ts";
import { formBytes } from "#app/services/form-body.ts";
import type { Limit } from "#app/services/limits.server.ts";

import type { Route } from "./+types/docs-page.ts";
import type { DocsFacts, Rate } from "./docs-facts.ts";
import { DocsView } from "./docs-view.tsx";
import { proseLinks } from "./prose-links.ts";

export const links = () => proseLinks;

/** Limits, sizes and examples come from the code that keeps to them. */
export function loader({ context }: Route.LoaderArgs): DocsFacts {
  markSite(context);
  const { baseUrl, demo } = services(context).config;
  return {
    baseUrl,
    hasSamples: demo,
    ...(demo ? { profile: "demo-user", card: "demo-card" } : { profile: "your-handle", card: "your-card-id" }),
    isApiBuilt: built.api,
    hasPasses: built.passes,
    qr: { ...qrSizes, logos: qrLogos, leastContrast },
    preview: previewSize,
    face: {
      parts: face.partNames,
      bounds: face.bounds,
      backgroundTypes: face.backgroundTypes,
      longestSeed: face.maxSeed,
      longestList: face.maxListed,
      usualPng: face.usualPngSize,
      largestPng: face.maxPngSize,
    },
    largest: { form: formBytes.usual, editor: formBytes.editors, file: maxUploadBytes },
    limits: {
      failedSignIns: rateOf(account.signInsOfAccount),
      signUps: rateOf(account.signUpsFromNetwork),
      mails: rateOf(account.mailsToAddress),
      uploads: rateOf(uploadLimit),
      imports: rateOf(importLimit),
      messages: rateOf(contact.ofSender),
    },
  };
}

function rateOf({ max, windowMs }: Limit): Rate {
  return { max, minutes: windowMs / 60_000 };
}

export function meta(asked: Route.MetaArgs) {
  const description =
    "What programs can read here without a key: profiles, cards, contact files, QR codes, pictures, drawn faces and the state of the service.";
  return siteHead(asked, { title: "Documentation | Meishi", description });
}

export default function DocsPage({ loaderData }: Route.ComponentProps) {
  return <DocsView facts={loaderData} />;
}
