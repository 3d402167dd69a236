import { toReadable } from "#app/services/features/readable-data.ts";

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
