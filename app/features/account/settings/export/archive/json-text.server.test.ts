import { expect, test } from "vitest";

import { jsonText } from "./json-text.server.ts";

async function readAll(pieces: AsyncIterable<string>) {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function* count(last: number, onRow: (row: number) => void = () => undefined) {
  for (let row = 1; row <= last; row++) {
    onRow(row);
    yield { row, text: "x".repeat(100) };
  }
}

test("the text of data.json is one JSON object with readable times, flags and names", async () => {
  const text = await readAll(
    jsonText([
      [
        "profile",
        async () => ({ is_public: 1, created_at: 1_790_000_000_000, trusted_until: 0, links: [{ from: null }] }),
      ],
      ["missing", async () => undefined],
      ["rows", () => count(2)],
      ["none", () => count(0)],
    ]),
  );
  expect(JSON.parse(text)).toEqual({
    profile: { isPublic: true, createdAt: "2026-09-21T14:13:20.000Z", trustedUntil: null, links: [{ from: null }] },
    missing: null,
    rows: [1, 2].map((row) => ({ row, text: "x".repeat(100) })),
    none: [],
  });
});

test("the text of data.json is written while the rows are read", async () => {
  let read = 0;
  const pieces = jsonText([["rows", () => count(100_000, (row) => (read = row))]]);
  expect((await pieces.next()).value?.length).toBeLessThan(70_000);
  expect(read).toBeLessThan(1000);
  await pieces.return(undefined);
});
