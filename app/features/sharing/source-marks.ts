/** How a visitor reached a page, by the mark in the URL. */
export const visitSources = ["link", "qr", "nfc", "wallet", "signature", "background", "print"] as const;
export type VisitSource = (typeof visitSources)[number];

/**
 * The public URL with its one-letter source mark: `markedUrl("https://meishi.example/u/ada", "qr")` ->
 * "https://meishi.example/u/ada?q". One letter, because every byte makes a printed QR code denser.
 */
export function markedUrl(url: string, source: VisitSource): string {
  const hash = url.indexOf("#");
  const page = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? "" : url.slice(hash);
  return page + (page.includes("?") ? "&" : "?") + letters[source] + fragment;
}

/**
 * The source mark in a query string: "?q", "?q=", "?utm_source=x&q" -> "qr"; "?q=word", "?page=q" and anything else -> "".
 * Other sites add parameters, and some rewrite "?q" to "?q=". The first mark counts. Runs for each cached request.
 */
export function sourceOf(search: string): VisitSource | "" {
  let start = search.charCodeAt(0) === questionMark ? 1 : 0;
  while (start < search.length) {
    const end = endOfParameter(search, start);
    const hasNoValue = end - start === 1 || (end - start === 2 && search.charCodeAt(start + 1) === equalsSign);
    const source = hasNoValue ? sources.get(search.charCodeAt(start)) : undefined;
    if (source) return source;
    start = end + 1;
  }
  return "";
}

const questionMark = 63;
const equalsSign = 61;

const letters: Record<VisitSource, string> = {
  link: "l",
  qr: "q",
  nfc: "n",
  wallet: "w",
  signature: "s",
  background: "b",
  print: "p",
};

const sources = new Map<number, VisitSource>([
  [letters.link.charCodeAt(0), "link"],
  [letters.qr.charCodeAt(0), "qr"],
  [letters.nfc.charCodeAt(0), "nfc"],
  [letters.wallet.charCodeAt(0), "wallet"],
  [letters.signature.charCodeAt(0), "signature"],
  [letters.background.charCodeAt(0), "background"],
  [letters.print.charCodeAt(0), "print"],
]);

function endOfParameter(search: string, start: number): number {
  const end = search.indexOf("&", start);
  return end < 0 ? search.length : end;
}
