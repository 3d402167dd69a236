import { signatureHtml } from "./signature.ts";
import type { Signature } from "./signature.ts";

/**
 * A signature on the ground of a mail, light or dark, and the policy it is sent with: inline styles and our own pictures, no script
 * whatever was typed, shown in frames of our own pages alone. Its links open in tabs of their own.
 */
export function signaturePage(signature: Signature, { isDark }: { isDark: boolean }): { html: string; policy: string } {
  const ground = isDark
    ? "color-scheme:dark;background:#1f1f1f;color:#e8e8e8"
    : "color-scheme:light;background:#fff;color:#222";
  return {
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">' +
      `<title>Your e-mail signature</title><base target="_blank"><style>html{${ground}}body{margin:16px}</style></head>` +
      `<body><main>${signatureHtml(signature)}</main></body></html>`,
    policy:
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  };
}
