import { z } from "zod";

import { invalid } from "./problem.ts";

/** Parameters of a list that is read in pages. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("Items on a page."),
  cursor: z.string().max(500).optional().describe("`nextCursor` of the page before."),
});

/** A page of a list. `id` names the schema in the OpenAPI document. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  const nextCursor = z.string().nullable().describe("null on the last page; else also in the header Link.");
  return z.object({ data: z.array(item), nextCursor }).meta({ id });
}

/** A page of a list that is in memory as a whole, because it is short. */
export function toPage<Item extends { id: string }>(
  items: readonly Item[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const start = cursor === undefined ? 0 : items.findIndex(({ id }) => id === cursor) + 1;
  // To begin again would repeat pages, maybe forever.
  if (start === 0 && cursor !== undefined)
    throw invalid([{ pointer: "?cursor", message: "The list has no such item any more. Read it from the start." }]);
  const data = items.slice(start, start + limit);
  const nextCursor = start + limit < items.length ? (data.at(-1)?.id ?? null) : null;
  return { body: { data, nextCursor }, nextCursor };
}

/** A text; null when it is empty. */
export const textOutput = z.string().nullable();

export const timeOutput = z.iso.datetime().describe("In UTC.");

/** Epoch milliseconds as ISO 8601. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
