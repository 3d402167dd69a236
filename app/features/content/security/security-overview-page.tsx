import { describeInstallation } from "#app/features/content/installation.server.ts";
import type { Installation } from "#app/features/content/installation.server.ts";
import type { TextSection } from "#app/features/content/markdown.ts";
import { ReadingFrame, readingLinks } from "#app/features/content/reading-frame.tsx";
import { featureFlags } from "#app/features/shell/feature-flags.ts";
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
    installation: describeInstallation(all, { hasPayments: featureFlags.payments }),
    isHttps: all.config.baseUrl.startsWith("https:"),
  };
}

export function meta(args: Route.MetaArgs) {
  const description =
    "What protects accounts and visitors here, how it is done, what is not there, and how to report a weakness.";
  return pageHead(args, { title: "Security | Meishi", description });
}

export default function SecurityOverviewPage({ loaderData }: Route.ComponentProps) {
  return <SecurityView {...loaderData} />;
}

type SecurityViewProps = { installation: Installation; isHttps: boolean };

function SecurityView({ installation, isHttps }: SecurityViewProps) {
  return (
    <ReadingFrame title="Security" sections={sections}>
      <div className="prose">
        <p>What protects accounts and visitors, how it is done so that you can check it, and what is not there.</p>
        {securityChapters.map(({ id, title, protections }) => (
          <ChapterSection key={id} id={id} title={title} protections={protections} />
        ))}
        <h2 id="installation">This installation</h2>
        <InstallationSection installation={installation} isHttps={isHttps} />
        <ChapterSection id="not-there" title="What is not there" protections={missingProtections} />
        <h2 id="report">Report a weakness</h2>
        <ReportSection installation={installation} />
      </div>
    </ReadingFrame>
  );
}

const sections: TextSection[] = [
  ...securityChapters.map(({ id, title }) => ({ id, label: title })),
  { id: "installation", label: "This installation" },
  { id: "not-there", label: "What is not there" },
  { id: "report", label: "Report a weakness" },
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
function InstallationSection({ installation: { host, hasS3, facts }, isHttps }: SecurityViewProps) {
  const stated = [
    ["Where it stands", facts.region],
    ["On the way", facts.inTransit],
    ["On the disk", facts.encryptionAtRest],
    ["Backups", facts.backups],
  ].flatMap(([title = "", text]) => (text ? [{ title, text }] : []));
  const known = [
    {
      title: "Connection",
      text: isHttps
        ? `${host} is reached over https, and browsers are told to use nothing else for a year (HSTS).`
        : `${host} is not reached over https: it is for trying the software out.`,
    },
    {
      title: "Files",
      text: hasS3 ? "In a storage service (S3) that visitors never talk to." : "On the server's own disk.",
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
        <p>
          Where the server stands, whether its disks are encrypted and how it is backed up, its operator has not said.
        </p>
      )}
    </>
  );
}

function ReportSection({ installation: { operator, hasContactForm } }: { installation: Installation }) {
  return (
    <>
      <p>
        {operator.email ? (
          <>
            Write to <a href={`mailto:${operator.email}`}>{operator.email}</a>
          </>
        ) : hasContactForm ? (
          <>
            Write through <a href="/contact">the contact page</a>
          </>
        ) : (
          <>Whoever runs this site has left no address; the authors of the software can be reached</>
        )}
        {operator.email || hasContactForm ? ", or, where it is the software itself," : ""} through the private reporting
        of the repository it comes from. Please don't open a public issue.
      </p>
      <p>
        Say what you did, what happened and what you expected. Don't open other people's data to show it: a test account
        of your own is enough.
      </p>
      {operator.email && (
        <p>
          For programs, the same stands in <a href="/.well-known/security.txt">security.txt</a>.
        </p>
      )}
    </>
  );
}
