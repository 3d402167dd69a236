import type { Services } from "#app/services/http/context.ts";

import { cardTable } from "./card-row.server.ts";
import type { Row, Table } from "./data-schema.ts";
import { profileTable } from "./profile-row.server.ts";
import { pickColumns } from "./query-rules.ts";

export const tables: ReadonlyMap<string, Table> = new Map(
  [profileTable, cardTable].map((table) => [table.name, table]),
);

/** A row of an owner with all columns; undefined without one. */
export async function findOwnRow(
  services: Services,
  { ownerId, table: name, id }: { ownerId: string; table: string; id: string },
): Promise<Row | undefined> {
  const table = tables.get(name);
  const row = (await table?.listOwn(services, ownerId))?.find((one) => one.id === id);
  return row && table && pickColumns(row, table.columns);
}
