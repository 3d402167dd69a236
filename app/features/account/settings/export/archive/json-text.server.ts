type Section = () => Promise<unknown> | AsyncIterable<unknown>;

/** The text of a JSON object in pieces. A section with many rows is written while it is read, a row per line. */
export async function* jsonText(sections: readonly (readonly [name: string, read: Section])[]): AsyncGenerator<string> {
  let text = "{";
  for (const [index, [name, read]] of sections.entries()) {
    text += `${index > 0 ? "," : ""}\n  ${JSON.stringify(name)}: `;
    const value = read();
    if (!(Symbol.asyncIterator in value)) {
      text += JSON.stringify(toReadable(await value) ?? null, null, 2).replaceAll("\n", "\n  ");
      continue;
    }
    let isFirst = true;
    text += "[";
    for await (const row of value) {
      text += `${isFirst ? "" : ","}\n    ${JSON.stringify(toReadable(row))}`;
      isFirst = false;
      if (text.length < pieceLength) continue;
      yield text;
      text = "";
    }
    text += isFirst ? "]" : "\n  ]";
  }
  yield `${text}\n}\n`;
}

const pieceLength = 65_536;

/**
 * Turns rows into data that a person can read: times as ISO text, flags as true and false, names in camelCase:
 * `{ is_public: 1, created_at: 1790000000000 }` -> `{ isPublic: true, createdAt: "2026-09-21T14:13:20.000Z" }`. Lists and objects are
 * converted throughout; what is undefined is left out.
 */
function toReadable(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toReadable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [camelCase(name), readField(name, field)]));
}

function readField(name: string, field: unknown): unknown {
  if (typeof field === "number" && timeNames.test(name))
    return field >= firstTime ? new Date(field).toISOString() : null;
  if ((field === 0 || field === 1) && flagNames.test(name)) return field === 1;
  return toReadable(field);
}

/** "created_at", "createdAt", "trusted_until", and the schedule of a link: "from", "until". */
const timeNames = /(?:_at|At|_until|^from|^until)$/;
const flagNames = /^(?:is|shows?|has)(?:_|[A-Z])/;
/** 2001-09-09. Smaller numbers stand for "never". */
const firstTime = 1_000_000_000_000;

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
