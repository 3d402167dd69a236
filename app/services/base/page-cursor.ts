/** Where a page of a list with the newest first ends: the time (epoch milliseconds) and the id of its last row. */
export type PageCursor = { createdAt: number; id: string };

/** As the parameter of an address: "1700000000000.a1b2". */
export function formatCursor({ createdAt, id }: PageCursor): string {
  return `${createdAt}.${id}`;
}

/** Undefined for any other text, which leads to the first page. */
export function readCursor(text: string | null): PageCursor | undefined {
  const [, time = "", id = ""] = /^(\d{1,15})\.([^\0]{1,100})$/.exec(text ?? "") ?? [];
  return time === "" ? undefined : { createdAt: Number(time), id };
}
