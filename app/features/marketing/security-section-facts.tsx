import type { ReactNode } from "react";

import { percentWords } from "#app/features/status/words.ts";

import { SampleMark } from "./sample-mark.tsx";
import type { SecurityFacts } from "./security-section.server.ts";

/** What was measured, and what only the operator can say. What was not said is shown as a sample, and called so. */
export function SecuritySectionFacts({ facts: { uptime, stated } }: { facts: SecurityFacts }) {
  const own = statements.flatMap(({ key, name }) => (stated[key] ? [{ name, value: stated[key] }] : []));
  const isSample = own.length === 0;
  const shown = isSample ? statements.map(({ name, sample }) => ({ name, value: sample })) : own;
  return (
    <div className="reveal mt-10 rounded-card border border-line bg-raised">
      {uptime && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 border-b border-line p-6.5 sm:px-9">
          <span>
            <span className="heading text-2xl">{percentWords(uptime.percent)}</span> uptime over the past{" "}
            {uptime.days === 1 ? "day" : `${uptime.days} days`}, measured by this site itself.
          </span>
          <a href="/status" className={link}>
            See each day
          </a>
        </p>
      )}
      <div className="p-6.5 sm:p-9">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
          {isSample && <SampleMark />}
          {isSample
            ? "The operator of this site has not stated these yet: so they would stand here."
            : "Stated by the operator of this site."}
        </p>
        <dl className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          {shown.map(({ name, value }) => (
            <Statement key={name} name={name}>
              {value}
            </Statement>
          ))}
        </dl>
      </div>
    </div>
  );
}

function Statement({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd dir="auto" className="heading mt-1 text-lg">
        {children}
      </dd>
    </div>
  );
}

const statements = [
  { key: "inTransit", name: "In transit", sample: "TLS 1.2+" },
  { key: "encryptionAtRest", name: "At rest", sample: "AES-256" },
  { key: "backups", name: "Backups", sample: "Daily, kept for 7 days" },
  { key: "region", name: "Region", sample: "US" },
] as const;

const link =
  "inline-flex min-h-11 items-center underline decoration-muted underline-offset-[6px] hover:decoration-text";
