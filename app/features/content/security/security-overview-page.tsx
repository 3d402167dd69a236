import { describeInstallation } from "#app/features/content/installation.server.ts";
import type { Installation } from "#app/features/content/installation.server.ts";
import type { TextSection } from "#app/features/content/markdown.ts";
import { ReadingFrame, readingLinks } from "#app/features/content/reading-frame.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { markSitePage, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/security-overview-page.ts";
import { missingProtections, securityChapters } from "./protections.ts";
import type { Protection } from "./protections.ts";

export const links = () => readingLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSitePage(context);
  const all = services(context);
  return {
    installation: describeInstallation(all),
    isHttps: all.config.baseUrl.startsWith("https:"),
    sourceUrl: all.config.sourceUrl,
  };
}

export function meta(args: Route.MetaArgs) {
  const description =
    "How this site protects accounts and visitors, what it doesn’t cover, and how to report a vulnerability.";
  return pageHead(args, { title: "Security | Meishi", description });
}

export default function SecurityOverviewPage({ loaderData }: Route.ComponentProps) {
  return <SecurityView {...loaderData} />;
}

type SecurityViewProps = ReportSectionProps & { isHttps: boolean };

function SecurityView({ installation, isHttps, sourceUrl }: SecurityViewProps) {
  return (
    <ReadingFrame title="Security" sections={sections}>
      <div className="prose">
        <p>
          How this site protects accounts and visitors, in enough detail for you to check, and what it doesn’t cover.
        </p>
        {securityChapters.map(({ id, title, protections }) => (
          <ChapterSection key={id} id={id} title={title} protections={protections} />
        ))}
        <h2 id="installation">This installation</h2>
        <InstallationSection installation={installation} isHttps={isHttps} />
        <ChapterSection id="not-there" title="What isn’t covered" protections={missingProtections} />
        <h2 id="report">Report a vulnerability</h2>
        <ReportSection installation={installation} sourceUrl={sourceUrl} />
      </div>
    </ReadingFrame>
  );
}

const sections: TextSection[] = [
  ...securityChapters.map(({ id, title }) => ({ id, label: title })),
  { id: "installation", label: "This installation" },
  { id: "not-there", label: "What isn’t covered" },
  { id: "report", label: "Report a vulnerability" },
];

function ChapterSection({ id, title, protections }: { id: string; title: string; protections: readonly Protection[] }) {
  return (
    <>
      <h2 id={id}>{title}</h2>
      <ProtectionList protections={protections} />
    </>
  );
}

function ProtectionList({ protections }: { protections: readonly Protection[] }) {
  return (
    <dl>
      {protections.map(({ title, text }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the program knows about this installation, and, separately, what the operator states. */
function InstallationSection({ installation: { host, hasS3, facts }, isHttps }: Omit<SecurityViewProps, "sourceUrl">) {
  const stated = [
    ["Location", facts.region],
    ["In transit", facts.inTransit],
    ["At rest", facts.encryptionAtRest],
    ["Backups", facts.backups],
  ].flatMap(([title = "", text]) => (text ? [{ title, text }] : []));
  const known = [
    {
      title: "Connection",
      text: isHttps
        ? `${host} uses HTTPS, and browsers are told to use nothing else for a year (HSTS).`
        : `${host} doesn’t use HTTPS: it’s only for trying out the software.`,
    },
    {
      title: "Files",
      text: hasS3 ? "In a storage service (S3) that visitors never connect to." : "On the server’s own disk.",
    },
  ];
  return (
    <>
      <ProtectionList protections={known} />
      {stated.length > 0 ? (
        <>
          <p>The operator says:</p>
          <ProtectionList protections={stated} />
        </>
      ) : (
        <p>The operator hasn’t stated where the server is, whether its disks are encrypted, or how it is backed up.</p>
      )}
    </>
  );
}

function ReportSection({ installation: { operator, hasContactForm }, sourceUrl }: ReportSectionProps) {
  return (
    <>
      <p>
        {operator.email ? (
          <>
            Email <a href={`mailto:${operator.email}`}>{operator.email}</a>.
          </>
        ) : hasContactForm ? (
          <>
            Use <a href="/contact">the contact page</a>.
          </>
        ) : (
          <>This site’s operator hasn’t provided an email address.</>
        )}{" "}
        If it’s about the software itself, report it privately through{" "}
        {sourceUrl ? <a href={sourceUrl}>its repository</a> : "its repository"}. Please don’t open a public issue.
      </p>
      <p>
        Tell us what you did, what happened and what you expected. Don’t access other people’s data to prove it: use a
        test account instead.
      </p>
      {operator.email && (
        <p>
          The machine-readable version is <a href="/.well-known/security.txt">security.txt</a>.
        </p>
      )}
    </>
  );
}

type ReportSectionProps = { installation: Installation; sourceUrl: string | undefined };
