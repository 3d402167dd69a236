/** A package with the fonts of one family, cut by characters into several files. */
export type FontPackage = {
  name: string;
  /** Where it says which characters each file has; without it, `file` is its only one. */
  files: "by characters" | { file: string };
  /** Matches texts that may need it, so that its lists are not read for others. */
  scripts: RegExp;
};

const notoSans = (script: string, scripts: RegExp): FontPackage => ({
  name: `@fontsource-variable/noto-sans${script && `-${script}`}`,
  files: "by characters",
  scripts,
});

/** Latin with the letters that our own fonts lack, Cyrillic, Greek and Devanagari. */
const general = notoSans("", /./su);
const simplified = notoSans("sc", /[\p{scx=Han}\uff00-\uffef]/u);
const traditional = notoSans("tc", /[\p{scx=Han}\uff00-\uffef]/u);
const korean = notoSans("kr", /[\p{scx=Hang}\p{scx=Han}]/u);
const japanese: FontPackage = {
  name: "@fontsource/shippori-mincho",
  files: { file: "shippori-mincho-japanese-600-normal.woff" },
  scripts: /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u,
};
const emoji: FontPackage = {
  name: "@fontsource/noto-color-emoji",
  files: { file: "noto-color-emoji-emoji-400-normal.woff" },
  scripts: /\p{Emoji}/u,
};

const symbols: FontPackage[] = [
  {
    name: "@fontsource/noto-sans-symbols-2",
    files: { file: "noto-sans-symbols-2-symbols-400-normal.woff" },
    scripts: /\p{S}/u,
  },
  // Its letters are those of "fancy text": "𝓐𝓭𝓪".
  {
    name: "@fontsource/noto-sans-math",
    files: { file: "noto-sans-math-latin-400-normal.woff" },
    scripts: /[\p{S}\u{1d400}-\u{1d7ff}]/u,
  },
  notoSans("symbols", /[\p{S}\p{No}]/u),
];

const others: FontPackage[] = [
  notoSans("arabic", /\p{scx=Arab}/u),
  notoSans("armenian", /\p{scx=Armn}/u),
  notoSans("bengali", /\p{scx=Beng}/u),
  notoSans("ethiopic", /\p{scx=Ethi}/u),
  notoSans("georgian", /\p{scx=Geor}/u),
  notoSans("gujarati", /\p{scx=Gujr}/u),
  notoSans("gurmukhi", /\p{scx=Guru}/u),
  notoSans("hebrew", /\p{scx=Hebr}/u),
  notoSans("kannada", /\p{scx=Knda}/u),
  notoSans("khmer", /\p{scx=Khmr}/u),
  notoSans("lao", /\p{scx=Laoo}/u),
  notoSans("malayalam", /\p{scx=Mlym}/u),
  notoSans("myanmar", /\p{scx=Mymr}/u),
  notoSans("oriya", /\p{scx=Orya}/u),
  notoSans("sinhala", /\p{scx=Sinh}/u),
  notoSans("tamil", /\p{scx=Taml}/u),
  notoSans("telugu", /\p{scx=Telu}/u),
  notoSans("thai", /\p{scx=Thai}/u),
];

/** The packages that may have the characters of a text, the preferred ones first. */
export function listFontPackages(text: string): FontPackage[] {
  return [general, ...others, ...listChinesePackages(text), ...symbols, emoji].filter(({ scripts }) =>
    scripts.test(text),
  );
}

/** The packages that may have one character, as a reader sees it, of a text. */
export function listPackagesFor(character: string, packages: readonly FontPackage[]): FontPackage[] {
  const isEmoji = emojiOnly.test(character);
  const fitting = packages.filter((one) => one.scripts.test(character));
  return isEmoji ? fitting.toSorted((one, other) => Number(other === emoji) - Number(one === emoji)) : fitting;
}

const emojiOnly = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation})/v;

/** Chinese characters look different in each language, so the other characters decide which font they are in. */
function listChinesePackages(text: string): FontPackage[] {
  if (/\p{sc=Hang}/u.test(text)) return [korean, traditional, simplified];
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(text)) return [japanese, traditional, simplified];
  return isTraditionalChinese(text) ? [traditional, simplified, korean] : [simplified, traditional, korean];
}

/** Whether a text has a Chinese character that GB 2312, the set of the simplified ones in common use, lacks. */
export function isTraditionalChinese(text: string): boolean {
  return (text.match(/\p{sc=Han}/gu) ?? []).some((character) => !simplifiedCharacters().has(character));
}

let simplifiedSet: Set<string> | undefined;

/** GB 2312, rows 16 to 87. */
function simplifiedCharacters(): Set<string> {
  if (simplifiedSet) return simplifiedSet;
  const bytes = Array.from({ length: 72 }, (_, row) =>
    Array.from({ length: 94 }, (_, cell) => [row + 0xb0, cell + 0xa1]),
  );
  return (simplifiedSet = new Set(new TextDecoder("gbk").decode(Uint8Array.from(bytes.flat(2)))));
}

/** Reads a `unicode-range` of CSS: "U+0E01-0E5B,U+200C" -> [[0xe01, 0xe5b], [0x200c, 0x200c]]. */
export function readUnicodeRange(text: string): [number, number][] {
  return text.split(",").map((range) => {
    const [first = "", last = first] = range.trim().slice(2).split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}
