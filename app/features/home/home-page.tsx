import type { RouterContextProvider } from "react-router";

import { readRange } from "#app/features/analytics/report/range-rules.ts";
import { readReport, readReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { findPlan } from "#app/features/billing/data.server.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { toCardList } from "#app/features/cards/list/card-rows.server.ts";
import { readFilter } from "#app/features/leads/inbox/filter-schema.ts";
import { listInbox } from "#app/features/leads/inbox/inbox-data.server.ts";
import { dayOf } from "#app/features/leads/inbox/lead-time.ts";
import { toListedLead } from "#app/features/leads/inbox/list/listed-lead-row.server.ts";
import { findCardWithForm } from "#app/features/leads/form-data.server.ts";
import { findProfileGaps, loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { findUnfinishedPass } from "#app/features/wallet/updates/unfinished-data.server.ts";
import { services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";

import type { Route } from "./+types/home-page.ts";
import { CardTile } from "./card-view.tsx";
import { LeadsPanel, TodoPanel, VisitsPanel } from "./home-panels.tsx";
import type { Todo } from "./home-panels.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  const profile = await loadOwnProfile(context);
  const { ownerId, handle, displayName } = profile;
  const plan = await findPlan(all, ownerId);
  const { cards, hasRoom } = toCardList(plan, await listCards(all.db, ownerId), profile);
  const formCard = await findCardWithForm(all.db, ownerId);
  const address = `/u/${handle || ownerId}`;
  return {
    cards,
    hasRoom,
    formCard,
    profile: {
      name: publicName(displayName),
      avatar: avatarUrls(profile.avatarKey),
      address,
      url: `${all.config.baseUrl.replace(/^https?:\/\//, "")}${address}`,
    },
    leads: await listNewest(all, ownerId),
    week: plan.hasAnalytics ? await readWeek(all, ownerId) : undefined,
    todo: await listTodo(context, {
      hasForm: formCard !== undefined,
      cardId: cards.find(({ hidden }) => hidden === "")?.id,
    }),
  };
}

/** The newest leads, in rows as in the inbox. */
async function listNewest({ db, clock }: Services, ownerId: string) {
  const choice = await findPreferences(db, ownerId);
  const now = clock();
  const filter = readFilter(new URLSearchParams());
  const leads = await listInbox(db, { ownerId, filter, today: dayOf(now, choice), limit: 3 });
  return leads.map((lead) => toListedLead(lead, { choice, now, cards: [], duplicates: new Set() }));
}

/** Today and the six days before, as on the analytics page. */
async function readWeek(all: Services, ownerId: string) {
  const owner = await readReportOwner(all, ownerId);
  const query = new URLSearchParams("range=7");
  const { range } = readRange(query, owner);
  const { totals } = await readReport(all.db, owner, { range, filter: {} });
  return { visits: totals.visits, saves: totals.saves, clicks: totals.clicks };
}

/** What makes the owner's pages more useful and isn't there yet. `cardId`: the first card that visitors can open. */
async function listTodo(
  context: Readonly<RouterContextProvider>,
  { hasForm, cardId }: { hasForm: boolean; cardId: string | undefined },
): Promise<Todo[]> {
  const gaps = (await findProfileGaps(context)) ?? [];
  return [
    ...gaps,
    ...(cardId && !hasForm ? (["form"] as const) : []),
    ...(cardId && (await findUnfinishedPass(context)) ? (["pass"] as const) : []),
  ].map((kind) => ({ kind, cardId: cardId ?? "" }));
}

export const meta = () => [{ title: "Home | Meishi" }];

/** What a signed-in user opens the app for: cards to show and share, new leads, and visits. */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { cards, hasRoom, formCard, leads, week, todo } = loaderData;
  return (
    <Page title="Home">
      <div className="grid grid-cols-1 gap-x-10 gap-y-6.5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-6.5">
          {cards.length === 0 ? (
            <EmptyState
              title="You don’t have a card yet"
              text="It takes three short steps. Then anyone can open, scan or save it."
              action={
                <ButtonLink variant="main" href="/start">
                  Create your card
                </ButtonLink>
              }
            />
          ) : (
            <section aria-label="Your cards" className="grid gap-6.5">
              <ul className="grid grid-cols-1 gap-x-5 gap-y-6.5 sm:grid-cols-2">
                {cards.map((card) => (
                  <CardTile key={card.id} card={card} />
                ))}
              </ul>
              {hasRoom && (
                <ButtonLink size="s" href="/cards/edit" className="justify-self-start">
                  Create card
                </ButtonLink>
              )}
            </section>
          )}
          <ProfileRow {...loaderData.profile} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">
          <LeadsPanel leads={leads} formCard={formCard} />
          <VisitsPanel week={week} />
          {todo.length > 0 && <TodoPanel items={todo} />}
        </div>
      </div>
    </Page>
  );
}

type ProfileRowProps = { name: string; avatar: ReturnType<typeof avatarUrls>; address: string; url: string };

function ProfileRow({ name, avatar, address, url }: ProfileRowProps) {
  return (
    <section
      aria-label="Your profile"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-raised p-4"
    >
      <Portrait name={name} image={avatar} width={48} className={portraitClass} />
      <p className="grid min-w-0 grow basis-40">
        <b className="font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
        </b>
        <a href={address} className="truncate text-sm text-muted underline underline-offset-4">
          {url}
        </a>
      </p>
      <span className="flex grow gap-2 *:grow sm:grow-0">
        <ButtonLink size="s" href="/profile#links">
          Edit links
        </ButtonLink>
        <ButtonLink size="s" href="/share/profile" aria-label="Share your profile">
          Share
        </ButtonLink>
      </span>
    </section>
  );
}

const portraitClass =
  "relative grid size-12 shrink-0 place-items-center overflow-hidden rounded-full bg-higher font-semibold [&_img]:absolute [&_img]:inset-0 [&_img]:size-full [&_img]:object-cover";
