/** Where a visitor came from, as far as the address tells: "" is a visit without a mark. */
export type Source = "link" | "qr" | "nfc" | "wallet" | "signature" | "background";

/**
 * The public address with its one-letter mark: `markedUrl("https://meishi.example/u/ada", "qr")` ->
 * "https://meishi.example/u/ada?q". One letter, because every byte makes a printed QR code finer.
 */
export function markedUrl(url: string, source: Source): string {
  const hash = url.indexOf("#");
  const page = hash < 0 ? url : url.slice(0, hash);
  const fragment = hash < 0 ? "" : url.slice(hash);
  return page + (page.includes("?") ? "&" : "?") + letters[source] + fragment;
}

/**
 * The source that a query string is marked with: "?q", "?q=", "?utm_source=x&q" -> "qr"; "?q=word", "?page=q" and all else -> "".
 * Other sites add parameters of their own, and some rewrite "?q" to "?q=". The first mark wins. Runs for each cached request.
 */
export function sourceOf(search: string): Source | "" {
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

const letters: Record<Source, string> = { link: "l", qr: "q", nfc: "n", wallet: "w", signature: "s", background: "b" };

const sources = new Map<number, Source>([
  [letters.link.charCodeAt(0), "link"],
  [letters.qr.charCodeAt(0), "qr"],
  [letters.nfc.charCodeAt(0), "nfc"],
  [letters.wallet.charCodeAt(0), "wallet"],
  [letters.signature.charCodeAt(0), "signature"],
  [letters.background.charCodeAt(0), "background"],
]);

function endOfParameter(search: string, start: number): number {
  const end = search.indexOf("&", start);
  return end < 0 ? search.length : end;
}
