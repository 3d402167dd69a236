/**
 * What a phone dials, as an address (RFC 3966): "+44 (0)20 7946 0000 ext. 5" -> "tel:+442079460000;ext=5". Written numbers
 * hold what is not dialled: spaces and brackets, and the zero that falls away behind a country code.
 */
export function phoneAddress(phone: string): string {
  const number = phone
    // No number is that long, and composing a run of accents takes time by the square of it.
    .slice(0, 200)
    .toWellFormed()
    .normalize("NFKC")
    .replace(/^(\s*\+.*?)\(0\)/, "$1")
    .replace(/\s*(?:ext|x)\.?\s*(\d+)\s*$/i, ";ext=$1")
    .replaceAll(/[\s().\-/\u2010-\u2015]/gu, "");
  return `tel:${encodeURIComponent(number).replaceAll("%2B", "+").replaceAll("%3B", ";").replaceAll("%3D", "=").replaceAll("%2C", ",")}`;
}
