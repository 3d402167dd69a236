import { z } from "zod";

import { ApiProblem } from "#app/services/api/problem.ts";
import { checkInput, readJson } from "#app/services/api/request.server.ts";
import { clientRoute } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";

import { notOwn, refuse, toOperationRefusal, toRefusal, unsupported } from "./data-response.server.ts";
import type { Query, Row, StoredRow, Table, Values, Writer } from "./data-schema.ts";
import { tables } from "./own-row.server.ts";
import { parseQuery, parseRange } from "./query-parser.ts";
import { contentRange, isRecord, matchesAll, namedValues, pageOf } from "./query-rules.ts";

/** The tables of the specification (document 2, sections 3 and 7), in the query language of its client (PostgREST). */
export const dataRoute = clientRoute({ base: "/rest/v1", maxBytes: "streamed", toRefusal, handle });

type DataRequest = {
  call: ClientCall;
  table: Table;
  query: Query;
  /** The client wants an object, not a list. */
  isSingle: boolean;
  /** What the client requests in `Prefer`. */
  wants: Record<"rows" | "count" | "upsert", boolean>;
};

async function handle(call: ClientCall): Promise<Response> {
  const name = call.path.slice(1);
  const table = tables.get(name);
  if (!table) throw refuse("PGRST205", `Could not find the table 'public.${name}' in the schema cache`);
  const query = parseQuery(call.query, table);
  const request = { call, table, query, isSingle: wantsObject(call), wants: readPreferences(call) };
  switch (call.method) {
    case "GET":
    case "HEAD":
      return read(request);
    case "POST":
      return insert(request);
    case "PATCH":
      return update(request);
    case "DELETE":
      return remove(request);
    default:
      throw unsupported(`The method ${call.method}`);
  }
}

function wantsObject({ c }: ClientCall): boolean {
  for (const name of ["accept-profile", "content-profile"])
    if ((c.req.header(name) ?? "public") !== "public") throw unsupported("Another schema than public");
  const types = (c.req.header("accept") ?? "*/*").split(",").map((type) => type.trim());
  const isSingle = types.includes("application/vnd.pgrst.object+json");
  if (isSingle || types.some((type) => /^(?:\*\/\*|application\/json)(?:;|$)/.test(type))) return isSingle;
  throw unsupported(`Accept: ${types.join()}`);
}

/** One that we don't follow is refused: `tx=rollback` and `max-affected` exist to prevent changes. */
function readPreferences({ c }: ClientCall): DataRequest["wants"] {
  const sent = (c.req.header("prefer") ?? "").split(",").map((one) => one.trim());
  const unknown = sent.find((one) => !preferences.test(one));
  if (unknown !== undefined) throw unsupported(`Prefer: ${unknown}`);
  return {
    rows: sent.includes("return=representation"),
    count: sent.some((one) => one.startsWith("count=")),
    upsert: sent.includes("resolution=merge-duplicates"),
  };
}

const preferences =
  /^(?:|return=(?:representation|minimal)|count=(?:exact|planned|estimated)|missing=default|resolution=merge-duplicates)$/;

/**
 * The rows of a query that its caller can see: their own, or else the one that it names and that everyone can see. A list of what others
 * published would be an address book for spammers.
 */
async function findRows({
  call,
  table,
  query: { filters },
}: DataRequest): Promise<{ rows: StoredRow[]; areOwn: boolean }> {
  const { services, session } = call;
  const ownerId = session?.viewer.id;
  const all = ownerId === undefined ? [] : await table.listOwn(services, ownerId);
  const own = all.filter((row) => matchesAll(row, filters));
  if (own.length > 0) return { rows: own, areOwn: true };
  const found = await table.findPublic(services, namedValues(filters));
  // Of their own row callers see all: not what is hidden from visitors, which other filters would match.
  const isShown = found && found["user_id"] !== ownerId && matchesAll(found, filters);
  return { rows: isShown ? [found] : [], areOwn: !isShown };
}

async function read(request: DataRequest): Promise<Response> {
  const { call, query } = request;
  const hasPage = call.query.has("limit") || call.query.has("offset");
  const range = hasPage ? undefined : parseRange(call.c.req.header("range"));
  const { rows } = await findRows(request);
  return respond(request, rows, { page: { ...query, ...range } });
}

/** Responds with rows. `page`: of a read, the part of them that is wanted. */
function respond(
  { call, query, isSingle, wants }: DataRequest,
  rows: readonly Row[],
  { page = query, status = 200 }: { page?: Query; status?: number } = {},
): Response {
  const shown = pageOf(rows, page);
  if (isSingle) checkSingle(shown.length);
  const isPart = wants.count && shown.length < rows.length && shown.length > 0;
  const headers = { "content-range": contentRange(page.offset, shown.length, wants.count ? rows.length : undefined) };
  if (call.method === "HEAD") return new Response(null, { headers });
  return Response.json(isSingle ? shown[0] : shown, { status: isPart ? 206 : status, headers });
}

function checkSingle(count: number): void {
  if (count === 1) return;
  const details = `The result contains ${count} rows`;
  throw refuse("PGRST116", "Cannot coerce the result to a single JSON object", { details });
}

async function insert(request: DataRequest): Promise<Response> {
  const { table, query, wants } = request;
  const writer = writerOf(request);
  if (wants.upsert && (!table.isOnePerOwner || query.onConflict.some((key) => key !== "user_id" && key !== "id")))
    throw unsupported(`An upsert of ${table.name} on ${query.onConflict.join() || "id"}`);
  if (query.filters.length > 0) throw unsupported("A filter on an insert");
  const values = await readValues(request);
  const [existing] = table.isOnePerOwner ? await table.listOwn(writer.services, writer.viewer.id) : [];
  if (existing && !wants.upsert) {
    const message = `duplicate key value violates unique constraint "${table.name}_user_id_key"`;
    throw refuse("23505", message, { details: "user_id", hint: "Update your row, or upsert it on user_id." });
  }
  if (existing) await table.update(writer, existing, withoutSame(table, values, existing));
  const id = existing?.id ?? (await table.insert(writer, withoutSame(table, values, table.newRow(writer.viewer.id))));
  return respondToWrite(request, [id], 201);
}

async function update(request: DataRequest): Promise<Response> {
  const { table } = request;
  const writer = writerOf(request);
  const values = await readValues(request);
  const rows = await findOwnRows(request);
  // All are checked before the first one is changed.
  const changes = rows.map((row) => ({ row, changed: withoutSame(table, values, row) }));
  for (const { row, changed } of changes) await table.update(writer, row, changed);
  const ids = rows.map(({ id }) => id);
  return respondToWrite(request, ids, 200);
}

async function remove(request: DataRequest): Promise<Response> {
  const writer = writerOf(request);
  const rows = await findOwnRows(request);
  for (const row of rows) await request.table.remove(writer, row);
  return request.wants.rows ? respond(request, rows) : noContent(request, rows.length);
}

function writerOf({ call, table }: DataRequest): Writer {
  const { services, session, origin } = call;
  if (!session) throw notOwn(table.name, false);
  return { services, viewer: session.viewer, origin };
}

/** Those that a change or a deletion names. */
async function findOwnRows(request: DataRequest): Promise<StoredRow[]> {
  const { call, table, query, isSingle } = request;
  // As on hosted backends: without a filter it is a mistake.
  if (query.filters.length === 0)
    throw refuse("21000", `${call.method === "DELETE" ? "DELETE" : "UPDATE"} requires a WHERE clause`);
  if (call.query.has("limit") || call.query.has("offset")) throw unsupported("limit or offset on a change");
  const { rows, areOwn } = await findRows(request);
  if (!areOwn) throw notOwn(table.name, true);
  if (isSingle) checkSingle(rows.length);
  return rows;
}

async function readValues({ call, table, query }: DataRequest): Promise<Values> {
  const sent = await readBody(call);
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.length > 1) throw unsupported("More than one row in a call");
  const [row] = list;
  if (!isRecord(row)) throw refuse("PGRST102", "The body must be a JSON object with columns, or a list of one.");
  for (const name of [...Object.keys(row), ...(query.columns ?? [])])
    if (!table.columns.includes(name))
      throw refuse(
        "PGRST204",
        `Could not find the '${name.slice(0, 100)}' column of '${table.name}' in the schema cache`,
      );
  return Object.fromEntries(Object.entries(row).filter(([name]) => query.columns?.includes(name) ?? true));
}

async function readBody({ c }: ClientCall): Promise<unknown> {
  try {
    return checkInput(z.unknown(), await readJson(c.req.raw));
  } catch (error) {
    throw error instanceof ApiProblem ? toOperationRefusal(error) : error;
  }
}

/** What differs from a row: one that was read may be sent back as a whole. Throws for a column that can't be changed. */
function withoutSame({ name: table, readOnly }: Table, values: Values, row: Row): Values {
  const changed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(row[name] ?? null),
  );
  for (const [name] of changed) {
    const hint = readOnly[name];
    if (hint !== undefined) throw refuse("42501", `permission denied for column ${name} of table ${table}`, { hint });
  }
  return Object.fromEntries(changed);
}

async function respondToWrite(request: DataRequest, ids: readonly string[], status: number): Promise<Response> {
  const { call, table, wants } = request;
  if (!wants.rows) return status === 201 ? new Response(null, { status }) : noContent(request, ids.length);
  const rows = await table.listOwn(call.services, call.session?.viewer.id ?? "");
  const written = rows.filter(({ id }) => ids.includes(id));
  return respond(request, written, { status });
}

function noContent({ wants }: DataRequest, count: number): Response {
  return new Response(null, { status: 204, headers: { "content-range": `*/${wants.count ? count : "*"}` } });
}
