import { formatBytes } from "#app/services/base/format.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { services } from "#app/services/http/context.ts";
import { Time } from "#app/features/admin/admin-table.tsx";
import { Pagination } from "#app/ui/components/pagination.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/users-page.ts";
import { countPlans, listUsers } from "./user-data.server.ts";
import type { ListedUser, PlanCounts } from "./user-data.server.ts";
import { StateBadge } from "./user-panels.tsx";

const pageSize = 50;
const maxSearch = 200;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, engine, clock, config } = services(context);
  const search = plainLine(readParameter(url, "q"));
  const after = readParameter(url, "after") || undefined;
  const page = await listUsers(
    { db, engine },
    {
      search,
      after,
      limit: pageSize,
      now: clock(),
      premium: config.premium,
    },
  );
  const counts = await countPlans(db, clock());
  return { ...page, search, isFirst: after === undefined, counts, hasPlans: config.premium !== "everyone" };
}

/** No text in the database has a NUL, and PostgreSQL refuses one. */
function readParameter({ searchParams }: URL, name: string): string {
  return (searchParams.get(name) ?? "").replaceAll("\u0000", "").slice(0, maxSearch);
}

export function meta() {
  return [{ title: "Users | Meishi" }];
}

export default function UsersPage({ loaderData }: Route.ComponentProps) {
  const { users, next, search, isFirst } = loaderData;
  const pathWith = (query: Record<string, string>) => {
    const text = new URLSearchParams({ ...(search && { q: search }), ...query }).toString();
    return text ? `/admin/users?${text}` : "/admin/users";
  };
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">Users</h1>
        <Counts {...loaderData} />
      </header>
      <form method="get" action="/admin/users" role="search" className="flex flex-wrap items-end gap-2.5">
        <div className="w-full grow sm:w-auto sm:max-w-110">
          <Field label="Search by email, name or handle" type="search" name="q" defaultValue={search} />
        </div>
        <Button type="submit" className="max-sm:grow">
          Search
        </Button>
        {search && (
          <ButtonLink href="/admin/users" className="max-sm:grow">
            Clear
          </ButtonLink>
        )}
      </form>
      {users.length === 0 ? (
        <EmptyState
          title={search ? "No user found" : "No users on this page"}
          text={search ? "Search for part of an email, a name or a handle." : undefined}
        />
      ) : (
        <UserTable users={users} />
      )}
      <Pagination next={next && pathWith({ after: next })} first={isFirst ? undefined : pathWith({})} />
    </>
  );
}

function Counts({ counts, hasPlans }: { counts: PlanCounts; hasPlans: boolean }) {
  const { users, granted } = counts;
  const plans = counts.plans.map(({ name, count }) => `${count} on ${name}`).join(", ");
  return (
    <p className="text-muted tabular-nums">
      {users} {users === 1 ? "account" : "accounts"}
      {hasPlans && `: ${plans} (${granted} granted)`}
    </p>
  );
}

/** A table on wide screens; on a phone each user is a block with the labels of the columns. */
function UserTable({ users }: { users: readonly ListedUser[] }) {
  return (
    <table className="block overflow-hidden rounded-card border border-line bg-raised text-sm lg:table lg:w-full">
      <thead className="max-lg:hidden">
        <tr className="border-b border-line text-start text-muted">
          {["User", "State", "Plan", "Last sign-in", "Storage", "Joined"].map((label) => (
            <th key={label} scope="col" className="px-4 py-3 text-start font-medium">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block lg:table-row-group">
        {users.map((user) => (
          <UserRow key={user.id} {...user} />
        ))}
      </tbody>
    </table>
  );
}

function UserRow({ id, email, name, handle, state, plan, signedInAt, storedBytes, createdAt }: ListedUser) {
  return (
    <tr className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-b border-line px-4 py-3.5 last:border-0 lg:table-row lg:p-0 [&>td]:lg:px-4 [&>td]:lg:py-3 [&>td]:lg:align-top">
      <td className="grid w-full min-w-0 gap-0.5 lg:table-cell lg:w-auto lg:max-w-90">
        <a href={`/admin/users/${id}`} className="justify-self-start font-semibold wrap-anywhere" dir="auto">
          {name || email}
        </a>
        <span className="block text-muted wrap-anywhere">
          {email}
          {handle && ` · @${handle}`}
        </span>
      </td>
      <td>
        <StateBadge state={state} />
      </td>
      <td>{plan}</td>
      <td>
        <CellLabel>Last sign-in</CellLabel>
        {signedInAt === undefined ? "None recorded" : <Time at={signedInAt} isDay />}
      </td>
      <td className="tabular-nums">
        <CellLabel>Storage</CellLabel>
        {formatBytes(storedBytes)}
      </td>
      <td>
        <CellLabel>Joined</CellLabel>
        <Time at={createdAt} isDay />
      </td>
    </tr>
  );
}

function CellLabel({ children }: { children: string }) {
  return <span className="me-1.5 text-muted lg:hidden">{children}</span>;
}
