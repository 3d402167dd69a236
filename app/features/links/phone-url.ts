/**
 * The URL that dials a phone number as people write it (RFC 3966): "Tel: +44 (0)20 7946 0000 ext. 5 / 7946 0001" ->
 * "tel:+442079460000;ext=5". Of several numbers the first; "tel:" for a text without a digit.
 */
export function phoneUrl(phone: string): string {
  return `tel:${subscriber(phone)}`;
}

/** The tel: or sms: address of a link as phones dial it: "tel:+1 604 555 0100 Local 212" -> "tel:+16045550100;ext=212"; undefined for others. */
export function dialedUrl(address: string): string | undefined {
  const [, scheme = "", number = "", query = ""] = /^(tel:|sms:)([^?]*)(.*)$/is.exec(address) ?? [];
  if (!scheme) return undefined;
  if (standardNumber.test(number)) return address;
  // RFC 5724 §2.2: an sms: address may have several recipients.
  const numbers = scheme.toLowerCase() === "sms:" ? number.split(",") : [number];
  return scheme + numbers.map((one) => subscriber(decoded(one))).join(",") + query;
}

/** With parameters that ours don't have, such as ";phone-context=…". */
const standardNumber = /^\+?[\d().-]+(?:;[\w-]+=[\w.+%-]+)*$/;

/** What is dialed: "+", digits, "*", "%23", "," for a pause, and ";ext=". Removes what is written but not dialed. */
function subscriber(written: string): string {
  const text = normalized(written);
  // Codes of networks, such as "*100#".
  if (/^[*#]/.test(text)) return text.replace(/[^\d*#]/g, "").replaceAll("#", "%23");
  const number = firstNumber(text.replace(vanityWord, (_, start: string, word: string) => start + keypadDigits(word)));
  const [, main = number, extension] = extensionAtEnd.exec(number) ?? [];
  const digits = main
    .replace(/^((?:\+|00).*?)\(\s*0\s*\)/, "$1")
    // What is written behind a number, such as "mobile" or "9am to 5pm".
    .replace(/(?:\s\(?\d{1,2})?\p{L}.*$/su, "")
    .replace(/(?!^)\+|[^\d+*#,]|,\s*$/g, "")
    .replaceAll("#", "%23");
  return extension ? `${digits};ext=${extension}` : digits;
}

/** With ASCII digits and signs, without invisible characters, and from the number on: "☎️ Tel. 2: ‪+۱ 604" -> "+1 604". */
function normalized(written: string): string {
  return (
    written
      // No number is longer, and Unicode composition is quadratic in a run of accents.
      .slice(0, 200)
      .toWellFormed()
      .normalize("NFKC")
      .replace(/[\p{M}\p{Cf}]/gu, "")
      .replace(/\p{Nd}/gu, asciiDigit)
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/\([^()\d+]*\)/g, " ")
      .replace(/^[^+*#(\d]*(?:\d{1,2}[\s:.)]*(?=\+)|\d:\s*)?(?:\(\s*(?=\+))?/, "")
  );
}

/** Unicode has the digits of a script in a row, and rows of them behind each other: ten in all cases. */
function asciiDigit(digit: string): string {
  let code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(--code))) before++;
  return String(before % 10);
}

/** "1-800-FLOWERS": RFC 3966 §5.1.2 leaves letters to whoever makes the URL. */
const vanityWord = /^(\+?(?:[\s().-]*\d){1,6}[\s).-]+|.*\d-)(?!ext|local)([A-Z][A-Z-]{2,})/i;

function keypadDigits(word: string): string {
  return word
    .toLowerCase()
    .replace(/[a-z]/g, (letter) => "22233344455566677778889999"[letter.charCodeAt(0) - 97] ?? "");
}

/** What may be between two numbers. "030/1234567" and "+1 555 0100,,123" have it too, so it counts behind a whole number alone. */
const separators =
  /[/|&;](?=\s*[+(]?\d)|,(?=\s+[+(]?\d|\+|\d+[-. ]\d)|(?=\+)|\s(?=\(\d)|\s{2,}|(?:\p{L}{1,12}[\s.:]*|\s[-·•]\s*)(?=\(?(?:\d[\s.()-]*){7})/u;

function firstNumber(text: string): string {
  let number = "";
  for (const part of text.split(separators)) {
    const digits = number.replace(/\D/g, "").length;
    if (digits >= (number.includes("+") ? 8 : 7)) break;
    number += part;
  }
  return number;
}

/** A word in any language, "#" or "x", and up to six digits: "Durchwahl 12", "(ext. no. 12)", ";ext=12". */
const extensionAtEnd = /^((?:\D*\d){3,}\D*?)[\s,;(-]*(?:\p{L}[^\d+]{0,20}|#\s*)(\d{1,6})(?!\p{L})\D*$/u;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not valid percent-encoding
  }
}
