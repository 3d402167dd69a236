import { data } from "react-router";

import { findOwnShare, loadSignature } from "#app/features/cards/share-subjects.server.ts";
import { readDesign, signatureHtml } from "#app/features/sharing/images/signature.ts";

import type { Route } from "./+types/signature-route.ts";

/** The owner's signature in `?design=`: previewed in a frame of the page to copy it, and opened on its own to copy it manually. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const own = await findOwnShare(context, params.id);
  if (!own || "hidden" in own) throw data(null, { status: 404 });
  const signature = await loadSignature(context, own.subject);
  const design = readDesign(url.searchParams.get("design"), signature);
  const { html, policy } = signaturePage(signatureHtml(signature, design), { isDark: url.searchParams.has("dark") });
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
    },
  });
}

/**
 * The signature on a light or dark background like a mail, and its content security policy: inline styles and our own images, no scripts,
 * framed by our own pages only. Links open in a new tab.
 */
function signaturePage(signature: string, { isDark }: { isDark: boolean }): { html: string; policy: string } {
  const background = isDark
    ? "color-scheme:dark;background:#1f1f1f;color:#e8e8e8"
    : "color-scheme:light;background:#fff;color:#222";
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<title>Your email signature</title><base target="_blank"><style>html{${background}}body{margin:16px}</style></head>` +
      `<body><main>${signature}</main></body></html>`,
    policy:
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  };
}
