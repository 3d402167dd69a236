import { Link } from "react-router";

import { changeNotes } from "#app/features/analytics/notes/note-action.server.ts";
import type { NoteResult } from "#app/features/analytics/notes/note-action.server.ts";
import { NewNote, NotesList } from "#app/features/analytics/notes/notes-section.tsx";
import { firstOfMonth, isoDayOf } from "#app/services/preferences/owner-days.ts";
import { retention } from "#app/features/analytics/roll-up/retention-data.server.ts";
import { CardTabs } from "#app/features/cards/card-tabs.tsx";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { saveWeeklyMail } from "#app/features/analytics/weekly-mail/data.server.ts";
import { WeeklyMailPanel } from "#app/features/analytics/weekly-mail/weekly-mail-panel.tsx";
import { requireUser, services } from "#app/services/http/context.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ButtonLink, PrintButton } from "#app/ui/components/button.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/analytics-page.ts";
import { ChartPanel } from "./charts/chart-panel.tsx";
import { CountsTable } from "./charts/counts-table.tsx";
import { HoursTable } from "./charts/hours-table.tsx";
import { FilterChoice } from "./filter-choice.tsx";
import { viewFilters } from "./filter-labels.ts";
import type { FilterView } from "./filter-labels.ts";
import { dayCountsOf, listFilters, readFilter } from "./filter-rules.ts";
import { PresentStatus } from "./present-status.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { readRange } from "./range-rules.ts";
import { readReport, readReportOwner } from "./report-data.server.ts";
import { reportMeasures } from "./report-rules.ts";
import { sampleNames, sampleReport } from "./sample-report.server.ts";
import { TotalsList } from "./charts/totals-list.tsx";
import { viewReport } from "./view-report.server.ts";
import type { ReportView } from "./view-report.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  const owner = await readReportOwner(all, requireUser(context).id);
  const { hasAnalytics } = owner.plan;
  const query = hasAnalytics ? url.searchParams : new URLSearchParams("range=7");
  const { range, typed, problem } = readRange(query, owner);
  const measure = reportMeasures.find((name) => name === query.get("show")) ?? "visits";
  const filter = readFilter(query, owner.ownerId);
  const report = await readReport(all.db, owner, { range, filter });
  const sample = hasAnalytics ? undefined : sampleReport(owner.today);
  return {
    typed,
    problem,
    timeZone: owner.timeZone.replaceAll("_", " ") || "UTC",
    present: all.live.countPresent(owner.ownerId),
    today: isoDayOf(owner.today),
    hasWeeklyMail: owner.hasWeeklyMail,
    /** The page that is shown belongs to this card of the owner. */
    cardId: owner.cards.find(({ id }) => id === url.searchParams.get("card"))?.id,
    filters: viewFilters(filter, { report, owner }),
    isStored: dayCountsOf(filter) !== undefined,
    isEmpty:
      owner.firstDay === undefined &&
      listFilters(filter).length === 0 &&
      reportMeasures.every((name) => report.totals[name] === 0),
    view: viewReport(report, {
      measure,
      named: owner,
      filter,
      daysFrom: firstOfMonth(owner.today, -retention.daysForMonths),
    }),
    sample: sample && viewReport(sample, { measure: "visits", named: { ...owner, ...sampleNames } }),
  };
}

/** The forms of notes, and the choice of the weekly mail. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readForm(request);
  if (fieldText(form, "intent") !== "weekly-mail") return changeNotes({ context, form, url });
  const { db, clock } = services(context);
  const isOn = fieldText(form, "isOn") === "on";
  await saveWeeklyMail(db, { ownerId: requireUser(context).id, isOn, now: clock() });
  return redirectWithToast(`/analytics${url.search}`, {
    title: isOn ? "Weekly email turned on" : "Weekly email turned off",
    tone: "success",
  });
}

export function meta() {
  return [{ title: "Analytics | Meishi" }];
}

export default function AnalyticsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, sample, isEmpty, timeZone, typed, problem, filters, isStored, cardId } = loaderData;
  const hasNoMatch = !isEmpty && filters.active.length > 0 && view.isEmpty;
  return (
    <Page
      title="Analytics"
      back={cardId && <BackLink to="/cards">Cards</BackLink>}
      tabs={cardId && <CardTabs cardId={cardId} current="analytics" />}
      intro={
        <div className="grid gap-1.5 text-sm">
          {!isEmpty && (
            <p>
              {view.period}
              {view.periodBefore && !sample && `, compared with ${view.periodBefore}`}
              {view.sinceText && !sample && `. ${view.sinceText}`}
            </p>
          )}
          {view.mergedText && !sample && <p>{view.mergedText}</p>}
          <PresentStatus present={loaderData.present} />
          {filters.active.length > 0 && (
            <p className="hidden print:block">Only: {filters.active.map(({ label }) => label).join(", ")}</p>
          )}
        </div>
      }
    >
      {!sample && !isEmpty && (
        <RangeChoice
          selected={view.id}
          show={view.measure}
          filterQuery={filters.query}
          typed={typed}
          problem={problem}
        />
      )}
      {!sample && !isEmpty && <FilterChoice filters={filters} show={view.measure} />}
      {isEmpty && <NoVisits />}
      {hasNoMatch && <NoMatch filters={filters} isStored={isStored} />}
      {!isEmpty && !hasNoMatch && <TotalsList view={view} hasReport={!sample} />}
      {!isEmpty && !hasNoMatch && !sample && (
        <ReportSections
          view={view}
          timeZone={timeZone}
          today={loaderData.today}
          result={actionData}
          filters={filters}
        />
      )}
      {sample && <SamplePreview view={sample} timeZone={timeZone} />}
      <WeeklyMailPanel isOn={loaderData.hasWeeklyMail} timeZone={timeZone} />
      <p className="max-w-160 text-sm text-muted">
        Your own visits, bots and pages that browsers load ahead aren’t counted. Nothing that identifies a visitor is
        stored.{" "}
        <Link to="/privacy" reloadDocument className="underline">
          What is counted
        </Link>
      </p>
    </Page>
  );
}

function NoVisits() {
  return (
    <EmptyState
      title="No visits yet"
      text="Show your QR code to someone, or share your link in a chat or an email signature. The first visit appears here within a minute."
      action={
        <div className="flex flex-wrap justify-center gap-2.5">
          <ButtonLink variant="main" size="s" href="/my-qr">
            Show my QR code
          </ButtonLink>
          <ButtonLink size="s" href="/share/profile">
            Share my profile
          </ButtonLink>
        </div>
      }
    />
  );
}

/** Nothing is counted with these filters in this period, or they aren't counted together. */
function NoMatch({ filters, isStored }: { filters: FilterView; isStored: boolean }) {
  return (
    <EmptyState
      title={isStored ? "Nothing matches this filter" : "These filters aren’t counted together"}
      text={
        isStored
          ? "Nothing was counted for it in this period. Choose a longer period, or remove the filter."
          : "A card, a link and a source can be combined in pairs. Remove one of the three."
      }
      action={
        <ButtonLink size="s" href={`?${filters.clearQuery}`}>
          Remove all filters
        </ButtonLink>
      }
    />
  );
}

type ReportSectionsProps = {
  view: ReportView;
  timeZone: string;
  today: string;
  result: NoteResult | undefined;
  filters: FilterView;
};

function ReportSections({ view, timeZone, today, result, filters }: ReportSectionsProps) {
  return (
    <>
      <ChartPanel
        view={view}
        notes={<NotesList notes={view.notes} result={result} />}
        newNote={<NewNote today={today} result={result} />}
      />
      {view.lists.length > 0 ? (
        <div className="grid gap-5 sm:gap-6 lg:grid-cols-2 print:grid-cols-2">
          {view.lists.map((list) => (
            <CountsTable key={list.dimension} list={list} show={view.measure} />
          ))}
        </div>
      ) : (
        <NoLists filters={filters} show={view.measure} text={view.coverage ?? ""} />
      )}
      {view.lists.length > 0 && view.coverage && <p className="max-w-160 text-sm text-muted">{view.coverage}</p>}
      {view.hours && <HoursTable hours={view.hours} aside={<TimeZone name={timeZone} />} />}
      <div className="flex flex-wrap items-center gap-2.5 print:hidden">
        <ButtonLink size="s" href={`/analytics/export?${view.query}&format=csv`} download>
          Download CSV
        </ButtonLink>
        <ButtonLink size="s" href={`/analytics/export?${view.query}&format=json`} download>
          Download JSON
        </ButtonLink>
        <PrintButton />
      </div>
    </>
  );
}

function TimeZone({ name }: { name: string }) {
  return (
    <>
      {name}{" "}
      <Link to="/account/preferences" className="ms-2 underline print:hidden">
        Change<span className="sr-only"> time zone</span>
      </Link>
    </>
  );
}

/** In place of the lists, when the counts of these filters have none: why, and which addresses have some. */
function NoLists({ filters, show, text }: { filters: FilterView; show: string; text: string }) {
  const { active, clearQuery } = filters;
  const reports = active.length > 1 ? active.map(({ only, label }) => ({ query: only, label: `Only ${label}` })) : [];
  return (
    <EmptyState
      title="No lists for this choice"
      text={text}
      action={
        <div className="flex flex-wrap justify-center gap-2.5 print:hidden">
          {[...reports, { query: clearQuery, label: "All visits" }].map(({ query, label }) => (
            <ButtonLink key={query} size="s" href={`?${query}&show=${show}`}>
              {label}
            </ButtonLink>
          ))}
        </div>
      }
    />
  );
}

/** What Premium shows, with invented numbers that say so. */
function SamplePreview({ view, timeZone }: { view: ReportView; timeZone: string }) {
  const isSold = usePremiumAccess() === "sold";
  return (
    <section aria-labelledby="preview" className="grid gap-5 sm:gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-higher p-5 sm:p-6.5">
        <div className="grid max-w-160 gap-1">
          <h2 id="preview" className="text-[1.125rem] leading-7 font-semibold">
            With Premium, see what works
          </h2>
          <p className="text-sm text-muted">
            Every card, link and source, over any period and compared with the one before. Your visits have been counted
            from day one. Below is a preview with sample data.
          </p>
        </div>
        {isSold && (
          <ButtonLink variant="main" size="s" href="/pricing">
            See Premium
          </ButtonLink>
        )}
      </div>
      <ChartPanel view={view} aside={<SampleBadge />} />
      <div className="grid gap-5 sm:gap-6 lg:grid-cols-2 print:grid-cols-2">
        {view.lists.map((list) => (
          <CountsTable key={list.dimension} list={{ ...list, title: `${list.title} (sample data)` }} />
        ))}
      </div>
      {view.hours && <HoursTable hours={view.hours} aside={`Sample data, ${timeZone}`} />}
    </section>
  );
}

function SampleBadge() {
  return (
    <span className="rounded-full border border-line-strong px-2.5 py-0.5 text-xs font-semibold">Sample data</span>
  );
}
