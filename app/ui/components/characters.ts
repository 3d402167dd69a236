/**
 * The initials for an avatar without an image: "Demo User" -> "DU", "山田 太郎" -> "山太". The first character of each word, at most three narrow
 * or two wide ones, which fit into the circle.
 */
export function initials(name: string): string {
  const characters = name
    .normalize("NFC")
    .split(/\s+/u)
    .map(firstCharacter)
    .filter((character) => character !== undefined);
  const fitting = characters.slice(0, characters.slice(0, 3).some(isWide) ? 2 : 3);
  // A zero-width non-joiner keeps Arabic and Syriac letters from joining into a new word.
  return fitting.join(fitting.some(isJoining) ? "\u200c" : "");
}

/** The number of characters as a reader sees them: "👩‍🚀é" is two. */
export function countGraphemes(text: string): number {
  return [...segmenter.segment(text)].length;
}

// By grapheme: a flag, an emoji sequence or a letter with combining marks counts as one character.
const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

function firstCharacter(word: string): string | undefined {
  for (const { segment } of segmenter.segment(word)) {
    if (/^[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(segment)) return upperCase(segment);
  }
  return undefined;
}

/** "ß" would become two letters, so it stays lowercase. */
function upperCase(character: string): string {
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}

function isWide(character: string): boolean {
  return /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(
    character,
  );
}

function isJoining(character: string): boolean {
  return /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}]/u.test(character);
}

/**
 * "rtl" if the first letter of a text belongs to a right-to-left script, else undefined. The rule of `dir="auto"` in browsers (UAX #9, P2 and
 * P3).
 */
export function textDirection(text: string): "rtl" | undefined {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return rightToLeft.test(letter) ? "rtl" : undefined;
}

const rightToLeft =
  /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]/u;
