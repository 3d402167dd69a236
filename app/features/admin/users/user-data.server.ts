import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import { activePlan, isPaid, planList, plans } from "#app/features/billing/rules.ts";
import type { PlanConditions } from "#app/features/billing/rules.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

export type UserState = "confirmed" | "unconfirmed" | "blocked";

/** An account as operators see it. Times are epoch milliseconds. */
export type ListedUser = {
  id: string;
  email: string;
  name: string;
  /** "" when none was chosen. */
  handle: string;
  state: UserState;
  plan: string;
  createdAt: number;
  /** Undefined if the user didn't sign in during the last 180 days. */
  signedInAt: number | undefined;
  storedBytes: number;
};

type UserRow = {
  id: string;
  email: string;
  isConfirmed: boolean | number;
  createdAt: string | Date;
  name: string;
  handle: string | null;
  plan: string | null;
  endsAt: number | string | null;
  storedBytes: number | string | null;
  blockedAt: number | string | null;
  eventAt: number | string | null;
  sessionAt: string | Date | null;
};

type UserSearch = {
  /** Part of an email, a name or a handle, or a whole id; "" finds everyone. */
  search: string;
  /** The id of the last account of the page before. */
  after: string | undefined;
  limit: number;
} & PlanConditions;

/** A page of the accounts that a search finds, newest first. `next` is the `after` of the next page. */
export async function listUsers(
  { db, engine }: { db: Db; engine: Engine },
  { search, after, limit, ...conditions }: UserSearch,
): Promise<{ users: ListedUser[]; next: string | undefined }> {
  const isAfter =
    after === undefined
      ? sql`1 = 1`
      : sql`(u."createdAt", u."id") < (select "createdAt", "id" from "user" where "id" = ${after})`;
  const { rows } = await sql<UserRow>`${selectUser}
    where ${search === "" ? sql`1 = 1` : matches(engine, search)} and ${isAfter}
    order by u."createdAt" desc, u."id" desc
    limit ${limit + 1}`.execute(db);
  const users = rows.slice(0, limit).map((row) => toUser(row, conditions));
  return { users, next: rows.length > limit ? users.at(-1)?.id : undefined };
}

/** One account; undefined if there is none with this id. */
export async function findListedUser(
  db: Db,
  { id, ...conditions }: { id: string } & PlanConditions,
): Promise<ListedUser | undefined> {
  const { rows } = await sql<UserRow>`${selectUser} where u."id" = ${id}`.execute(db);
  return rows[0] && toUser(rows[0], conditions);
}

const selectUser = sql`select u."id", u."email", u."emailVerified" as "isConfirmed", u."createdAt",
    coalesce(p."display_name", u."name") as "name", h."handle", s."plan", s."ends_at" as "endsAt",
    st."bytes" as "storedBytes", b."created_at" as "blockedAt",
    (select max(e."created_at") from "security_event" e where e."owner_id" = u."id" and e."event" = 'signed-in') as "eventAt",
    (select max(x."createdAt") from "session" x where x."userId" = u."id") as "sessionAt"
  from "user" u
  left join "profile" p on p."owner_id" = u."id"
  left join "handle" h on h."owner_id" = u."id" and h."is_current" = 1
  left join "subscription" s on s."owner_id" = u."id"
  left join "storage" st on st."owner_id" = u."id"
  left join "account_block" b on b."owner_id" = u."id"`;

/** Former handles count too: a printed code still has them. */
function matches(engine: Engine, search: string): RawBuilder<unknown> {
  const isLike = (column: string) => {
    const name = sql.ref(column);
    const patterns = spellings(search).map((text) => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`);
    const like = patterns.map((pattern) =>
      engine === "postgres" ? sql`${name} ilike ${pattern}` : sql`${name} like ${pattern} escape '\\'`,
    );
    return sql`(${sql.join(like, sql` or `)})`;
  };
  return sql`(${isLike("u.email")} or u."id" = ${search}
    or u."id" in (select "owner_id" from "profile" where ${isLike("profile.display_name")})
    or u."id" in (select "owner_id" from "handle" where ${isLike("handle.handle")}))`;
}

/** SQLite, and PostgreSQL in some locales, ignore the case of ASCII letters only, so they also get the usual ways to write a word. */
function spellings(search: string): string[] {
  const lower = search.toLowerCase();
  if (/^[ -~]*$/.test(search)) return [lower];
  const capitalized = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([search, lower, search.toUpperCase(), capitalized])];
}

function toUser(row: UserRow, conditions: PlanConditions): ListedUser {
  const endsAt = row.endsAt === null ? null : Number(row.endsAt);
  const times = [
    ...(row.eventAt === null ? [] : [Number(row.eventAt)]),
    ...(row.sessionAt === null ? [] : [new Date(row.sessionAt).getTime()]),
  ];
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    handle: row.handle ?? "",
    state: row.blockedAt !== null ? "blocked" : row.isConfirmed ? "confirmed" : "unconfirmed",
    plan: activePlan(row.plan === null ? undefined : { plan: row.plan, ends_at: endsAt }, conditions).name,
    createdAt: new Date(row.createdAt).getTime(),
    signedInAt: times.length > 0 ? Math.max(...times) : undefined,
    storedBytes: Number(row.storedBytes ?? 0),
  };
}

/** How many accounts there are, how many have each plan now, and how many of those an operator gave Premium. */
export type PlanCounts = { users: number; plans: { name: string; count: number }[]; granted: number };

export async function countPlans(db: Db, now: number): Promise<PlanCounts> {
  const isInForce = sql`("ends_at" is null or "ends_at" > ${now})`;
  const { rows } = await sql<{ plan: string; count: number | string }>`
    select 'user' as "plan", count(*) as "count" from "user"
    union all select 'granted', count(*) from "plan_grant" where ${isInForce}
    union all select "plan", count(*) from "subscription" where ${isInForce} group by "plan"`.execute(db);
  const countOf = (plan: string) => Number(rows.find((row) => row.plan === plan)?.count ?? 0);
  const paid = planList.filter(isPaid).map(({ id, name }) => ({ name, count: countOf(id) }));
  const users = countOf("user");
  const free = users - paid.reduce((sum, { count }) => sum + count, 0);
  return { users, plans: [{ name: plans.free.name, count: free }, ...paid], granted: countOf("granted") };
}
