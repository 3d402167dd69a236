/** The order after one card went to `to`: a place counted from 0, or one step. Undefined where nothing would change. */
export function movedTo(ids: readonly string[], { id, to }: Move): string[] | undefined {
  const from = ids.indexOf(id);
  if (from === -1) return undefined;
  const wanted = to === "up" ? from - 1 : to === "down" ? from + 1 : to;
  const place = Math.min(Math.max(wanted, 0), ids.length - 1);
  return place === from ? undefined : ids.toSpliced(from, 1).toSpliced(place, 0, id);
}

export type Move = { id: string; to: number | "up" | "down" };
