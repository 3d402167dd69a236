import { createHash } from "node:crypto";

import { createElement } from "react";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

// oxlint-disable-next-line import/default -- its text (scripts/bundled-text.ts)
import script from "#app/features/kiosk/client/kiosk-client.ts?bundled";
import { defaultHeading } from "#app/features/kiosk/rules.ts";
import { connectCss } from "#app/features/leads/public/connect-style.ts";
import { publicCss } from "#app/features/sharing/public-page/public-page-style.tsx";

import { kioskCss } from "./kiosk-style.ts";
import { KioskDocument } from "./kiosk-view.tsx";

type KioskPage = { view: ReactElement; css: string; status: number; title?: string };

/** A page of a kiosk as one document that loads nothing, with a policy of its own. */
export function kioskResponse({ view, css, status, title = defaultHeading }: KioskPage): Response {
  const style = publicCss + css + connectCss + kioskCss;
  const document = renderToStaticMarkup(createElement(KioskDocument, { style, script, view, title }));
  return new Response(`<!doctype html>${document}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex",
      "content-security-policy": [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        "img-src data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    },
  });
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
