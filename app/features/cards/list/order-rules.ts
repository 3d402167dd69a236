/** The order after one card moved to `to`: an index or a direction. Undefined when nothing changes. */
export function moveInOrder(ids: readonly string[], { id, to }: CardMove): string[] | undefined {
  const from = ids.indexOf(id);
  if (from === -1) return undefined;
  const target = to === "up" ? from - 1 : to === "down" ? from + 1 : to;
  const position = Math.min(Math.max(target, 0), ids.length - 1);
  return position === from ? undefined : ids.toSpliced(from, 1).toSpliced(position, 0, id);
}

export type CardMove = { id: string; to: number | "up" | "down" };
