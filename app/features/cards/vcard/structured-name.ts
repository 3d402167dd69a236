/**
 * The five parts of vCard's N (family, given, additional, prefix, suffix) for a name on one line. Phones show these parts instead
 * of FN, so they must read as the name that was typed, in the order of its script. Whatever is ambiguous stays whole in the given
 * name. "Ada Lovelace" -> family Lovelace, given Ada; "山田 太郎" -> family 山田, given 太郎; "Cher" -> given Cher.
 */
export function structuredName(
  name: string,
): [family: string, given: string, additional: string, prefix: string, suffix: string] {
  const [person = "", ...titles] = name.split(",").map((part) => part.trim());
  const hasTitles =
    titles.length > 0 && titles.every((title) => knownTitles.has(title.replaceAll(".", "").toLowerCase()));
  // Any other comma is ambiguous: "Lovelace, Ada", "Smith; Jones, Partners".
  const isClear = hasTitles || titles.length === 0;
  const words = person.split(/\s+/);
  if (!isClear || words.length < 2 || /[;:"()<>/\\|]/.test(person)) return ["", name, "", "", ""];
  const suffix = hasTitles ? titles.join(", ") : "";
  if (isEastAsian.test(person) && !isKatakana.test(person))
    return [words[0] ?? "", words.slice(1).join(" "), "", "", suffix];
  const family = familyStart(words);
  return [words.slice(family).join(" "), words.slice(0, family).join(" "), "", "", suffix];
}

/**
 * The index where the family name starts: the last word with its particles. "Ludwig | van Beethoven", "Charles | de la Vallée
 * Poussin".
 */
function familyStart(words: string[]): number {
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && particles.has(word));
  return particle > 0 ? particle : words.length - 1;
}

const particles = new Set(
  "af al av bin bint da dal de degli dei del della den der di do dos du el ibn la le ten ter van von zu".split(" "),
);

const knownTitles = new Set(
  "jr sr ii iii iv phd dphil edd md do dds dvm rn np pharmd psyd jd llb llm esq mba msc bsc ma ba ms bs meng beng mph cpa cfa pmp pe aia obe mbe cbe".split(
    " ",
  ),
);

// Family name first: Chinese, Japanese, Korean. Katakana alone spells a foreign name, in its own order.
const isEastAsian = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc\s]+$/u;
const isKatakana = /^[\p{sc=Katakana}\u30fc\s]+$/u;
