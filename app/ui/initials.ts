/**
 * What stands in the circle while there is no picture: "Demo User" -> "DU", "山田 太郎" -> "山太".
 * The first sign of each word, as many as the circle holds: three narrow letters or two wide signs.
 */
export function initials(name: string): string {
  const signs = name
    .normalize("NFC")
    .split(/\s+/u)
    .map(firstSign)
    .filter((sign) => sign !== undefined);
  const fitting = signs.slice(0, signs.slice(0, 3).some(isWide) ? 2 : 3);
  // Arabic and Syriac letters would join into a new word; the zero-width non-joiner keeps them apart.
  return fitting.join(fitting.some(isJoining) ? "\u200c" : "");
}

/** How many signs a reader sees: "👩‍🚀é" is two, whatever its length in code units. */
export function countSigns(text: string): number {
  return [...segmenter.segment(text)].length;
}

// Grapheme by grapheme: a flag, a family or a letter with its accents is one sign and is never cut in two.
const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

function firstSign(word: string): string | undefined {
  for (const { segment } of segmenter.segment(word)) {
    if (/^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(segment)) return upperCase(segment);
  }
  return undefined;
}

/** "ß" would become two letters: then it stays as it is. */
function upperCase(sign: string): string {
  const upper = sign.toUpperCase();
  return upper.length === sign.length ? upper : sign;
}

function isWide(sign: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(sign);
}

function isJoining(sign: string): boolean {
  return /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}]/u.test(sign);
}
