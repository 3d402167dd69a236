/** The characters of a text as a reader sees them, without spaces and invisible ones. */
export function listCharacters(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment).filter(
    (character) => ![...character].every(isIgnorable),
  );
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Whether a code point needs no glyph: spaces, joiners, variation selectors and the like. */
export function isIgnorable(character: string): boolean {
  return /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u.test(character);
}

/**
 * A text without the characters that no font has. A word with such a letter is left out whole, because the rest of it would be another
 * word; other characters, such as emoji, are left out alone.
 */
export function drawableText(text: string, missing: ReadonlySet<string>): string {
  // Also finds words in scripts that write no spaces.
  return withoutWords(
    Array.from(words.segment(text), ({ segment }) => segment),
    missing,
  );
}

/** As `drawableText`, for a name: a Chinese name without one of its characters would be another name. */
export function drawableNameText(name: string, missing: ReadonlySet<string>): string {
  return withoutWords(name.split(/(?= )/), missing);
}

const words = new Intl.Segmenter("und", { granularity: "word" });

function withoutWords(segments: string[], missing: ReadonlySet<string>): string {
  if (missing.size === 0) return segments.join("");
  const drawable = segments.map((segment) => drawableWord(segment, missing)).join("");
  return drawable.replaceAll(/ {2,}/g, " ").trim();
}

function drawableWord(word: string, missing: ReadonlySet<string>): string {
  const characters = Array.from(graphemes.segment(word), ({ segment }) => segment);
  const isLost = characters.some((character) => missing.has(character) && /[\p{L}\p{M}\p{N}]/u.test(character));
  return isLost ? "" : characters.filter((character) => !missing.has(character)).join("");
}
