import { useNavigation } from "react-router";

import { Pagination } from "#app/ui/components/pagination.tsx";
import { DeferredView } from "#app/features/live/deferred-view.tsx";
import { AddLeadBar } from "#app/features/scanner/add-lead-bar.tsx";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";
import { ActionMenu, menuItemClass, PrintItem } from "#app/ui/forms/action-menu.tsx";

import type { Route } from "./+types/inbox-page.ts";
import { FilterForm, listActive } from "./filter-form.tsx";
import { countChoices, filterQuery, filterTimes, listQuery, readFilter } from "./filter-schema.ts";
import type { InboxFilter } from "./filter-schema.ts";
import { countDeleted } from "./lead-data.server.ts";
import { countSpam, countUnread, listCardNames, listInbox, listOwnTags } from "./inbox-data.server.ts";
import { changeInbox } from "./inbox-action.server.ts";
import { FilterBar, isCommonFilter } from "./list/filter-bar.tsx";
import { InboxForm } from "./list/inbox-list.tsx";
import { dayOf, startOfDay, startOfWeek } from "./lead-time.ts";
import { listDuplicateIds } from "./merge/duplicates-data.server.ts";
import { countLabel, inboxPageSize, reviewHint, reviewLabel } from "#app/features/leads/inbox-rules.ts";
import { toListedLead } from "./list/listed-lead-row.server.ts";
import { UndoNotice } from "./list/undo-notice.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  const { db, clock } = all;
  const ownerId = requireUser(context).id;
  const filter = readFilter(url.searchParams);
  const before = readCursor(url.searchParams.get("before"));
  const choice = await findPreferences(db, ownerId);
  const readAt = clock();
  const days = { today: dayOf(readAt, choice), weekStart: startOfWeek(readAt, choice) };
  const [found, cards, tags, unread, spam] = await Promise.all([
    listInbox(db, {
      ownerId,
      filter,
      ...filterTimes(filter, (day, days) => startOfDay(day, choice, days)),
      today: days.today,
      before,
      limit: inboxPageSize + 1,
    }),
    listCardNames(db, ownerId),
    listOwnTags(db, ownerId),
    countUnread(db, ownerId),
    countSpam(db, ownerId),
  ]);
  const leads = found.slice(0, inboxPageSize);
  const last = found.length > inboxPageSize ? leads.at(-1) : undefined;
  const duplicates = filter.isSpam
    ? new Set<string>()
    : await listDuplicateIds(
        db,
        ownerId,
        leads.map(({ id }) => id),
      );
  const deletedAt = Number(url.searchParams.get("undo") ?? "") || 0;
  return {
    leads: leads.map((lead) => toListedLead(lead, { choice, now: clock(), cards, duplicates })),
    readAt,
    days,
    filter,
    isFirst: before === undefined,
    list: listQuery(url.search),
    older: last && formatCursor(last),
    cards,
    tags,
    unread,
    spam,
    deleted: deletedAt > 0 ? { deletedAt, count: await countDeleted(all, { ownerId, deletedAt }) } : undefined,
  };
}

export async function action(args: Route.ActionArgs) {
  return changeInbox(args);
}

export function meta({ loaderData }: Route.MetaArgs) {
  const count = loaderData?.unread ? `(${countLabel(loaderData.unread)}) ` : "";
  return [{ title: `${count}Leads | Meishi` }];
}

export default function InboxPage({ loaderData, actionData }: Route.ComponentProps) {
  const { leads, readAt, filter, isFirst, list, older, cards, tags, unread, spam, deleted } = loaderData;
  const isFiltered = countChoices(filter) > 0 || filter.search !== "";
  const only = [filter.search && `“${filter.search}”`, ...listActive({ filter, cards }).map(({ text }) => text)];
  // Nothing to search, as long as nothing has come in.
  const isEmpty = leads.length === 0 && isFirst && !isFiltered;
  const isLoading = useNavigation().location?.pathname === "/leads";
  return (
    <Page
      title="Leads"
      intro={
        <>
          <p>
            <Subtitle isSpam={filter.isSpam} unread={unread} />
          </p>
          {isFiltered && <p className="hidden text-sm print:block">Only: {only.filter(Boolean).join(", ")}</p>}
        </>
      }
      actions={
        <>
          {/* An empty inbox has a primary button of its own. */}
          <AddLeadBar variant={leads.length === 0 ? "quiet" : "main"} />
          <InboxActions filter={filter} isFiltered={isFiltered} isEmpty={leads.length === 0} />
        </>
      }
    >
      <ViewLinks {...loaderData} />
      {deleted && deleted.count > 0 && <UndoNotice key={deleted.deletedAt} {...deleted} list={list} />}
      {spam > 0 && !filter.isSpam && <ReviewNotice spam={spam} />}
      {!isEmpty && !filter.isSpam && <FilterBar filter={filter} unread={unread} {...loaderData.days} />}
      {!isEmpty && (
        <FilterForm
          key={filterQuery(filter)}
          {...{ filter, cards, tags }}
          isCommon={isCommonFilter(filter, loaderData.days)}
        />
      )}
      <div data-toasts="top" aria-busy={isLoading} className={isLoading ? "opacity-60" : ""}>
        <DeferredView load={loadNewLeads} props={{ since: readAt, listed: leads.map(({ id }) => id) }} />
        {leads.length === 0 ? (
          <NoLeads isFiltered={isFiltered} isSpam={filter.isSpam} isFirst={isFirst} cards={cards} />
        ) : (
          <InboxForm
            key={leads.map(({ id }) => id).join()}
            leads={leads}
            list={list}
            isSpam={filter.isSpam}
            tags={tags}
            refused={actionData}
          />
        )}
      </div>
      <Pagination
        next={older && `/leads${filterQuery(filter, { before: older })}`}
        first={isFirst ? undefined : `/leads${filterQuery(filter)}`}
      />
    </Page>
  );
}

function ReviewNotice({ spam }: { spam: number }) {
  const review = (
    <ButtonLink size="s" href="/leads?view=spam">
      Review
    </ButtonLink>
  );
  return (
    <Notice title={reviewLabel(spam)} action={review}>
      {reviewHint}
    </Notice>
  );
}

const loadNewLeads = () => import("./live/new-leads-notice.tsx").then((file) => file.NewLeadsNotice);

function Subtitle({ isSpam, unread }: { isSpam: boolean; unread: number }) {
  if (isSpam) return "What looks like spam is deleted after 30 days";
  if (unread === 0) return "Visitors who shared their contact with you";
  return (
    <a href="/leads?show=unread" className="-my-3 inline-block py-3 underline hover:text-text">
      {countLabel(unread)} unread
    </a>
  );
}

type InboxActionsProps = { filter: InboxFilter; isFiltered: boolean; isEmpty: boolean };

/** The export, and what is needed less often in a menu. Exports have what the list has, on all its pages. */
function InboxActions({ filter, isFiltered, isEmpty }: InboxActionsProps) {
  const query = filterQuery(filter);
  return (
    <>
      {!isEmpty && (
        <ButtonLink size="s" href={`/leads/export.csv${query}`} download>
          {isFiltered ? "Export results" : "Export CSV"}
        </ButtonLink>
      )}
      <ActionMenu label="More actions for leads" name="Leads" className="border border-line-strong opacity-100!">
        {!isEmpty && (
          <a role="menuitem" href={`/leads/contacts.vcf${query}`} download className={menuItemClass}>
            {isFiltered ? "Export results as vCard" : "Export contacts (vCard)"}
          </a>
        )}
        <a role="menuitem" href="/leads/devices" className={menuItemClass}>
          Contacts on your phone
        </a>
        <a role="menuitem" href="/integrations" className={menuItemClass}>
          Copy to other services
        </a>
        <a role="menuitem" href="/leads/notifications" className={menuItemClass}>
          Notifications
        </a>
        {!isEmpty && <PrintItem />}
      </ActionMenu>
    </>
  );
}

function ViewLinks({ filter, spam }: { filter: InboxFilter; spam: number }) {
  if (spam === 0 && !filter.isSpam) return null;
  const views = [
    { href: "/leads", label: "Inbox", isCurrent: !filter.isSpam },
    { href: "/leads?view=spam", label: spam > 0 ? `Spam (${countLabel(spam)})` : "Spam", isCurrent: filter.isSpam },
  ];
  return (
    <nav
      aria-label="Views"
      className="col-span-full mt-1.5 flex gap-1 justify-self-stretch rounded-[14px] bg-higher p-1 sm:justify-self-start print:hidden"
    >
      {views.map(({ href, label, isCurrent }) => (
        <a
          key={href}
          href={href}
          aria-current={isCurrent ? "page" : undefined}
          className="inline-flex min-h-11 items-center justify-center rounded-[10px] px-4 text-sm font-semibold text-muted no-underline hover:text-text max-sm:grow aria-[current]:bg-picked aria-[current]:text-text"
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

type NoLeadsProps = {
  isFiltered: boolean;
  isSpam: boolean;
  isFirst: boolean;
  cards: readonly { id: string; name: string }[];
};

function NoLeads({ isFiltered, isSpam, isFirst, cards }: NoLeadsProps) {
  if (!isFirst) return <EmptyState title="No older leads" />;
  if (isFiltered)
    return (
      <EmptyState
        title="No leads match"
        text="Try another word or fewer filters."
        action={<ButtonLink href={isSpam ? "/leads?view=spam" : "/leads"}>Clear search and filters</ButtonLink>}
      />
    );
  if (isSpam)
    return (
      <EmptyState
        title="No suspected spam"
        text="What looks like spam waits here for 30 days. You can move it to your inbox."
      />
    );
  const [card] = cards;
  return (
    <EmptyState
      title="No leads yet"
      text={
        card
          ? "Switch on the contact form of a card. Visitors then see a button to share their contact, and each one appears here."
          : "Create a business card first. With its contact form, visitors share their contact, and each one appears here."
      }
      action={
        <ButtonLink variant="main" href={card ? `/cards/${card.id}/leads` : "/cards/edit"}>
          {card ? "Set up the contact form" : "Create a business card"}
        </ButtonLink>
      }
    />
  );
}
