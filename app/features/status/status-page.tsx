import type { ReactNode } from "react";
import { data } from "react-router";

import { siteHead } from "#app/features/shell/site-head.ts";
import { pageWidth } from "#app/features/shell/site-links.ts";
import { markSite, services } from "#app/services/context.ts";

import type { Route } from "./+types/status-page.ts";
import { CheckList, InstanceList } from "./check-list.tsx";
import { Measuring } from "./measuring.tsx";
import { loadReport } from "./report.server.ts";
import { minuteOf, MS_PER_MINUTE } from "./rules.ts";
import { StateHead } from "./state-head.tsx";
import { StretchList } from "./stretch-list.tsx";
import { UptimeSection } from "./uptime-section.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { report, isRead } = await loadReport(services(context));
  if (!isRead) return data({ report, isRead }, { status: 503, headers: { "retry-after": "60" } });
  markSite(context, { endsAt: (minuteOf(report.now) + 1) * MS_PER_MINUTE });
  return data({ report, isRead });
}

/** Of the loader's own: how long to wait while the database is away. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta(asked: Route.MetaArgs) {
  const description = "How Meishi is now, and how it was in the last 90 days, as it measured itself.";
  return [
    ...siteHead(asked, { title: "Status | Meishi", description }),
    { tagName: "link", rel: "alternate", type: "application/json", href: "/status.json" },
  ];
}

export default function StatusPage({ loaderData }: Route.ComponentProps) {
  const { report, isRead } = loaderData;
  const { checks, instances, stretches, uptime } = report;
  return (
    // Where the pages to read have their text, beside their lists of chapters.
    <div className={`${pageWidth} pt-10 sm:pt-16 lg:ps-77`}>
      <div className="max-w-[807px]">
        <StateHead report={report} isRead={isRead} />
        {uptime && <UptimeSection uptime={uptime} days={report.days} now={report.now} />}
        <Section title="Checks">
          <CheckList checks={checks} processes={instances.length} />
        </Section>
        {instances.length > 0 && (
          <Section title="Running now">
            <InstanceList instances={instances} />
          </Section>
        )}
        {uptime && (
          <Section title="What went wrong">
            <StretchList stretches={stretches} />
          </Section>
        )}
        <Section title="How this is measured">
          <Measuring />
        </Section>
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-14">
      <h2 className="heading mb-4 text-lg">{title}</h2>
      {children}
    </section>
  );
}
