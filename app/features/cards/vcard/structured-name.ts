/**
 * The five parts of vCard's N (family, given, additional, prefix, suffix) for a name on one line, and the card's own titles. Phones show
 * these parts instead of FN, so they must read as the name that was typed, in the order of its script. Whatever is ambiguous stays whole
 * in the given name. "Dr. Ada Lovelace" -> family Lovelace, given Ada, prefix Dr.; "山田 太郎" -> family 山田, given 太郎; "Cher" -> given
 * Cher.
 */
export function structuredName(
  name: string,
  own: { prefix?: string; suffix?: string } = {},
): [family: string, given: string, additional: string, prefix: string, suffix: string] {
  const [family, given, prefix, suffixes] = splitName(name);
  const ownPrefix = own.prefix === prefix ? "" : own.prefix;
  const ownSuffix = suffixes.includes(own.suffix ?? "") ? "" : own.suffix;
  const titles = [ownPrefix, prefix].filter(Boolean).join(" ");
  return [family, given, "", titles, [...suffixes, ownSuffix].filter(Boolean).join(", ")];
}

function splitName(name: string): [family: string, given: string, prefix: string, suffixes: string[]] {
  const [person = "", ...afterCommas] = name.split(",").map((part) => part.trim());
  const words = person.split(/\s+/);
  const start = words.findIndex((word, index) => !isPrefix(word, index));
  const end = words.findLastIndex((word) => !isSuffix(word)) + 1;
  const core = start === -1 ? [] : words.slice(start, end);
  // Any other comma is ambiguous: "Lovelace, Ada", "Smith; Jones, Partners".
  const isClear = afterCommas.every((part) => part.split(/\s+/).every((word) => isDegree(word) || isSymbol(word)));
  if (!isClear || core.length < 2 || /[;:"()<>/\\|]/.test(person)) return ["", name, "", []];
  const isFamilyFirst = isEastAsian.test(core.join(" ")) && !isKatakana.test(core.join(" "));
  const family = familyStart(core);
  const [first, last] = isFamilyFirst ? [core.slice(1), core.slice(0, 1)] : [core.slice(0, family), core.slice(family)];
  return [
    last.join(" "),
    first.join(" "),
    words.slice(0, start).join(" "),
    [words.slice(end).join(" "), ...afterCommas],
  ];
}

/** A title before the name, and what follows one: "Dr. med." */
function isPrefix(word: string, index: number): boolean {
  const isTitle = prefixes.has(word.toLowerCase()) || prefixes.has(withoutDots(word));
  return isTitle || isSymbol(word) || (index > 0 && /^\p{Ll}[\p{Ll}.-]*\.$/u.test(word));
}

/** A degree without a comma before it. Some are surnames, too: "Jack Ma", "Chancel Mba". */
function isSuffix(word: string): boolean {
  const isClear = /\p{Lu}.*\p{Lu}/u.test(word) && !surnames.has(withoutDots(word));
  return isSymbol(word) || /^(?:jr|sr|esq|phd)$/.test(withoutDots(word)) || (isClear && isDegree(word));
}

function isDegree(word: string): boolean {
  return degrees.has(withoutDots(word));
}

/** An emoji, or other characters that are no name. */
function isSymbol(word: string): boolean {
  return /^[^\p{L}\p{N}]+$/u.test(word);
}

function withoutDots(word: string): string {
  return word.replaceAll(".", "").toLowerCase();
}

/**
 * The index where the family name starts: the last word, or the first of two Spanish surnames, with its particles. "Ludwig | van
 * Beethoven", "Charles | de la Vallée Poussin", "Gabriel | García Márquez".
 */
function familyStart(words: string[]): number {
  const last = words.length - 1;
  const surname = words.findIndex(
    (word, index) =>
      index > 0 && index < last && (isSpanishSurname(word) || (words[index + 1] === "y" && index + 1 < last)),
  );
  const isParticle = (word: string) => particles.has(word.toLowerCase());
  if (surname > 0) return words.findLastIndex((word, at) => at < surname && (at === 0 || !isParticle(word))) + 1;
  // With a capital letter, most are names: "Nguyen Thi Le".
  const isClear = (word: string) => particles.has(word) || /^(?:de|del|dela|dos)$/i.test(word);
  const particle = words.findIndex((word, index) => index > 0 && index < last && isClear(word));
  return particle > 0 ? particle : last;
}

function isSpanishSurname(word: string): boolean {
  const letters = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return /\p{L}{3}(?<!v)ez$/u.test(letters) || spanishSurnames.has(letters);
}

const particles = new Set(
  "af al av bin bint da dal de degli dei del della den der di do dos du el ibn la las le los ten ter van von zu".split(
    " ",
  ),
);

/** Common ones that are rarely given names; those in "-ez" are known by their end. */
const spanishSurnames = new Set(
  (
    "acosta aguilar arias ayala blanco cabrera calvo campos cano cardenas carrasco carrillo castillo castro chavez contreras cortes cruz " +
    "delgado diaz duarte duran escobar espinosa espinoza estevez figueroa flores fuentes gallego galvez garcia garrido gil guerrero guzman " +
    "herrera hidalgo ibarra iglesias lozano maldonado medina mejia mendoza molina montero mora morales moreno munoz navarro nieto ochoa " +
    "orozco ortega ortiz osorio pacheco padilla palacios paredes parra pena pineda ponce prieto quintana ramos restrepo reyes rios rivera " +
    "robles rojas romero rubio ruiz salas salazar sandoval santana santos sanz serrano solis sosa soto torres trujillo uribe valdes " +
    "valenzuela vargas vega velasco villanueva zamora zapata zuniga"
  ).split(" "),
);

/** With a dot where the word without it is a given name. */
const prefixes = new Set(
  (
    "bc. capt col. dame dipl-ing doc. dott dr dra dr-ing frau herr hon. ing. judr lt mag. maj. mgr miss mlle mme mr mrs ms mudr mx phdr " +
    "prof profa rev rndr sgt sir sr sra srta"
  ).split(" "),
);

/** Degrees that are surnames as well. */
const surnames = new Set("aia ba be beng bs do ma meng ms np pe".split(" "));

const degrees = new Set(
  "jr sr ii iii iv phd dphil edd md do dds dvm rn np pharmd psyd jd llb llm esq mba msc bsc ma ba ms bs meng beng mph cpa cfa pmp pe aia obe mbe cbe".split(
    " ",
  ),
);

// Family name first: Chinese, Japanese, Korean. Katakana alone spells a foreign name, in its own order.
const isEastAsian = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc\s]+$/u;
const isKatakana = /^[\p{sc=Katakana}\u30fc\s]+$/u;
