import type { ReactNode } from "react";

import { formatPercent } from "#app/services/base/format.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { LandingSection, SampleBadge } from "./section.tsx";
import type { SecurityFacts } from "./security-data.server.ts";

/** Claims about the software, each with where to check it, then facts about this installation. */
export function SecuritySection({ facts }: { facts: SecurityFacts }) {
  return (
    <LandingSection
      id="security"
      eyebrow="Security"
      title="Nothing to take on trust"
      intro="The program is open source. Look each of these up, in your browser or in the code."
    >
      <ul className="claims reveal">
        {claims.map(({ title, text, check }) => (
          <li key={title}>
            <h3 className="heading">{title}</h3>
            <p>{text}</p>
            <p>{`Check: ${check}`}</p>
          </li>
        ))}
      </ul>
      <InstallationFacts facts={facts} />
      <p className="mt-6.5 flex flex-wrap gap-3.5">
        <ButtonLink href="/security-overview">Read the security overview</ButtonLink>
        <ButtonLink href="/status">See the status</ButtonLink>
      </p>
    </LandingSection>
  );
}

const claims = [
  {
    title: "No cookies for your visitors",
    text: "A card and a profile set none. Opened cards are counted by day; no address is stored.",
    check: "your browser's tools, under Storage",
  },
  {
    title: "Nobody else is asked",
    text: "Fonts, pictures and codes come from this site. The browser is told to refuse others.",
    check: "the header Content-Security-Policy",
  },
  {
    title: "Passwords can't be read",
    text: "Kept as scrypt hashes, each with its own salt. More than 40,000 common ones are refused.",
    check: "app/services/auth/auth.server.test.ts",
  },
  {
    title: "Photos lose their place",
    text: "Each picture is drawn anew when it arrives: where and with what it was taken is gone.",
    check: "tests/journeys/uploads/stripped-metadata.test.ts",
  },
  {
    title: "You decide what shows",
    text: "A number stands on the page, in the contact file, or both. A paused card answers like one that never was.",
    check: "app/features/cards/public-card.server.ts",
  },
  {
    title: "You can leave with it",
    text: "Run it yourself: database and files lie in one folder to back up or move.",
    check: "README.md, To host it",
  },
];

/** The measured uptime, and the operator's statements; a sample, marked as such, where there are none. */
export function InstallationFacts({ facts: { uptime, stated } }: { facts: SecurityFacts }) {
  const own = statements.flatMap(({ key, name }) => (stated[key] ? [{ name, value: stated[key] }] : []));
  const isSample = own.length === 0;
  const visible = isSample ? statements.map(({ name, sample }) => ({ name, value: sample })) : own;
  return (
    <div className="reveal mt-10 rounded-card border border-line bg-raised">
      {uptime && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 border-b border-line p-6.5 sm:px-9">
          <span>
            <span className="heading text-2xl">{formatPercent(uptime.percent)}</span> uptime over the past{" "}
            {uptime.days === 1 ? "day" : `${uptime.days} days`}, measured by this site itself.
          </span>
          <a href="/status" className={linkClass}>
            See each day
          </a>
        </p>
      )}
      <div className="p-6.5 sm:p-9">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
          {isSample && <SampleBadge />}
          {isSample
            ? "The operator of this site has not stated these yet: so they would stand here."
            : "Stated by the operator of this site."}
        </p>
        <dl className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          {visible.map(({ name, value }) => (
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

const linkClass =
  "inline-flex min-h-11 items-center underline decoration-muted underline-offset-[6px] hover:decoration-text";
