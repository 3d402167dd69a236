import type { Insertable, Selectable } from "kysely";
import { z } from "zod";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { Db, Engine, OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { RenderedPageTable } from "#app/services/database/schema.ts";

/** A finished page with all that its responses need. */
export type StoredPage = {
  ownerId: string;
  /** `profile.pages_version`, read with the first data of the page or before. */
  pagesVersion: string;
  /** As in PublicPageOptions. */
  subject?: string | undefined;
  endsAt?: number | undefined;
  queryParameters?: readonly string[] | undefined;
  etag: string;
  /** Those of every response, whatever its encoding: names and values in turn. */
  headers: string[];
  htmlBytes: number;
  /** HTML, compressed with brotli. */
  body: Buffer;
};

type Row = Insertable<RenderedPageTable>;

const rowsPerStatement = 50;

/** Returns a function that reads the page at a path if it is up to date and rendered by this build. */
export function createPageReader(db: Db, buildId: string) {
  const query = db
    .selectFrom("rendered_page as page")
    .innerJoin("profile", (join) =>
      join.onRef("profile.owner_id", "=", "page.owner_id").onRef("profile.pages_version", "=", "page.pages_version"),
    )
    .select(["page.owner_id", "page.pages_version", "page.etag", "page.body", "page.options"])
    .where("page.path", "=", "")
    .where("page.build_id", "=", buildId)
    .compile();
  return async (path: string): Promise<StoredPage | undefined> => {
    // Compiled once: compiling takes as long as the query itself.
    const { rows } = await db.executeQuery<StoredRow>({ ...query, parameters: [path, buildId] });
    return rows[0] && toStoredPage(rows[0]);
  };
}

/** Writes the rows that are up to date. */
export async function writeRenderedPages(database: Pick<OpenDatabase, "db" | "engine">, rows: Row[]): Promise<void> {
  // All processes write in the same order, so two that write the same rows wait for each other instead of deadlocking.
  const sorted = rows.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  for (let at = 0; at < sorted.length; at += rowsPerStatement) {
    const batch = sorted.slice(at, at + rowsPerStatement);
    await transactWithoutFsync(database, async (trx) => {
      const current = await selectCurrent(trx, batch, database.engine);
      if (current.length > 0) await upsert(trx, current);
    });
  }
}

/** Locks the owners until the rows are written: nothing of an account is stored after it was deleted. On SQLite the transaction is the lock. */
async function selectCurrent(trx: Trx, rows: Row[], engine: Engine): Promise<Row[]> {
  const query = trx
    .selectFrom("profile")
    .select(["owner_id", "pages_version"])
    .where(
      "owner_id",
      "in",
      rows.map(({ owner_id }) => owner_id),
    )
    .orderBy("owner_id");
  const owners = await (engine === "postgres" ? query.forShare() : query).execute();
  const versions = new Map(owners.map(({ owner_id, pages_version }) => [owner_id, pages_version]));
  return rows.filter(({ owner_id, pages_version }) => versions.get(owner_id) === pages_version);
}

async function upsert(trx: Trx, rows: Row[]): Promise<void> {
  await trx
    .insertInto("rendered_page")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("path").doUpdateSet(({ ref }) => ({
        owner_id: ref("excluded.owner_id"),
        pages_version: ref("excluded.pages_version"),
        build_id: ref("excluded.build_id"),
        etag: ref("excluded.etag"),
        body: ref("excluded.body"),
        bytes: ref("excluded.bytes"),
        options: ref("excluded.options"),
        rendered_at: ref("excluded.rendered_at"),
      })),
    )
    .execute();
}

/** Deletes an owner's pages. Part of the transaction that changes them. */
export async function deleteRenderedPages(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("rendered_page").where("owner_id", "=", ownerId).execute();
}

const storedOptions = z.object({
  headers: z.array(z.string()),
  htmlBytes: z.number(),
  subject: z.string().optional(),
  endsAt: z.number().optional(),
  queryParameters: z.array(z.string()).optional(),
});

type StoredRow = Pick<Selectable<RenderedPageTable>, "owner_id" | "pages_version" | "etag" | "body" | "options">;

function toStoredPage({ owner_id, pages_version, etag, body, options }: StoredRow): StoredPage {
  return {
    ...storedOptions.parse(JSON.parse(options)),
    ownerId: owner_id,
    pagesVersion: pages_version,
    etag,
    body: Buffer.from(body.buffer, body.byteOffset, body.length),
  };
}

export function toPageRow(
  page: StoredPage,
  { path, buildId, now }: { path: string; buildId: string; now: number },
): Row {
  const { headers, htmlBytes, subject, endsAt, queryParameters, body } = page;
  const options = JSON.stringify({ headers, htmlBytes, subject, endsAt, queryParameters });
  return {
    path,
    owner_id: page.ownerId,
    pages_version: page.pagesVersion,
    build_id: buildId,
    etag: page.etag,
    body,
    bytes: body.length + options.length,
    options,
    rendered_at: now,
  };
}
