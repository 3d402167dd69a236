/**
 * "rtl" when the first letter of a text belongs to a right-to-left script, else undefined (the page's own direction),
 * by the rule that `dir="auto"` follows in the browser (UAX #9, P2 and P3).
 */
export function directionOf(text: string): "rtl" | undefined {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return rightToLeft.test(letter) ? "rtl" : undefined;
}

const rightToLeft =
  /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]/u;
