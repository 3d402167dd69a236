import type { ReactNode } from "react";

import { formatPercent } from "#app/services/base/format.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import { LandingSection, SampleBadge } from "./section.tsx";
import type { SecurityFacts } from "./security-data.server.ts";

type SecuritySectionProps = { facts: SecurityFacts; sourceUrl: string | undefined; hasSample: boolean };

/** Claims about the software, then facts about this installation. */
export function SecuritySection({ facts, sourceUrl, hasSample }: SecuritySectionProps) {
  return (
    <LandingSection
      id="security"
      eyebrow="Security"
      title="Don’t take our word for it"
      intro="Meishi is open source. Check every claim in your browser or in the code."
    >
      <ul className="claims reveal">
        {claims.map(({ title, text, check }) => (
          <li key={title}>
            <h3 className="heading">{title}</h3>
            <p>{text}</p>
            {check && <p>{`Check: ${check}`}</p>}
          </li>
        ))}
      </ul>
      <InstallationFacts facts={facts} hasSample={hasSample} />
      <p className="mt-6.5 flex flex-wrap gap-2.5">
        <ButtonLink href="/security-overview">Read the security overview</ButtonLink>
        {sourceUrl && <ButtonLink href={sourceUrl}>View the source code</ButtonLink>}
        <ButtonLink href="/status">Check the status</ButtonLink>
      </p>
    </LandingSection>
  );
}

const claims: { title: string; text: string; check?: string }[] = [
  {
    title: "No cookies for your visitors",
    text: "Cards and profiles set none. Visits are counted by day, and no IP address is stored.",
    check: "your browser’s developer tools, under Storage",
  },
  {
    title: "No third parties",
    text: "Fonts, images and QR codes come from this site. Browsers are told to block everything else.",
    check: "the Content-Security-Policy header",
  },
  {
    title: "Passwords can’t be read",
    text: "They are stored as salted Argon2id hashes. More than 40,000 common passwords are rejected.",
  },
  {
    title: "Location data removed",
    text: "Every photo is re-encoded on upload, which removes location and camera details.",
  },
  {
    title: "You decide what shows",
    text: "Put a phone number on the page, in the contact file, or both. Visitors can’t tell that a paused card exists.",
  },
  {
    title: "Your data is portable",
    text: "Run it yourself: the database and files are in one folder you can back up or move.",
  },
];

type InstallationFactsProps = { facts: SecurityFacts; hasSample: boolean };

/** The measured uptime and the operator's statements. Without statements, a sample, marked as such, where samples are on. */
export function InstallationFacts({ facts: { uptime, backup, stated }, hasSample }: InstallationFactsProps) {
  const own = statements.flatMap(({ key, name }) => (stated[key] ? [{ name, value: stated[key] }] : []));
  const isSample = own.length === 0 && hasSample;
  const visible = isSample ? statements.map(({ name, sample }) => ({ name, value: sample })) : own;
  if (!uptime && !backup && visible.length === 0) return null;
  return (
    <div className="reveal mt-10 rounded-card border border-line bg-raised">
      {uptime && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-10 gap-y-2 border-line p-6.5 not-last:border-b sm:px-9">
          <span>
            <span className="heading title">{formatPercent(uptime.percent)}</span> uptime over the past{" "}
            {uptime.days === 1 ? "day" : `${uptime.days} days`}, measured by this site itself.
          </span>
          <a href="/status" className={linkClass}>
            See daily uptime
          </a>
        </p>
      )}
      {backup && <p className="border-line p-6.5 not-last:border-b sm:px-9">{backup}</p>}
      {visible.length > 0 && <StatementList statements={visible} isSample={isSample} />}
    </div>
  );
}

type StatementListProps = { statements: { name: string; value: string }[]; isSample: boolean };

function StatementList({ statements: visible, isSample }: StatementListProps) {
  return (
    <div className="p-6.5 sm:p-9">
      <p className="flex flex-wrap items-center gap-2.5 text-sm text-muted">
        {isSample && <SampleBadge />}
        {isSample ? "The operator’s own statements go here." : "Stated by this site’s operator."}
      </p>
      <dl className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {visible.map(({ name, value }) => (
          <Statement key={name} name={name}>
            {value}
          </Statement>
        ))}
      </dl>
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
