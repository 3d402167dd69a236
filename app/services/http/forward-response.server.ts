import { escapeMarkup } from "#app/services/base/plain-text.ts";

/** Responds with a page that opens one of another site: our policy (`form-action`) keeps forms from being redirected there. */
export function respondWithForwarding(
  location: string,
  { name, headers }: { name: string; headers: Headers },
): Response {
  const url = escapeMarkup(location);
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Continue to ${escapeMarkup(name)} | Meishi</title>
<p><a href="${url}">Continue to ${escapeMarkup(name)}</a></p>
</html>
`;
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("cache-control", "no-store");
  return new Response(page, { headers });
}
