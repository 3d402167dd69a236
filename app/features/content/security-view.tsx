import type { Installation } from "./installation.ts";
import type { Section } from "./markdown.ts";
import { ReadingFrame } from "./reading-frame.tsx";
import { chapters, notThere } from "./security-facts.ts";
import type { Protection } from "./security-facts.ts";

type SecurityViewProps = { installation: Installation; isHttps: boolean };

export function SecurityView({ installation, isHttps }: SecurityViewProps) {
  return (
    <ReadingFrame title="Security" sections={sections}>
      <div className="prose">
        <p>What protects accounts and visitors, how it is done so that you can check it, and what is not there.</p>
        {chapters.map(({ id, title, protections }) => (
          <Chapter key={id} id={id} title={title} protections={protections} />
        ))}
        <h2 id="installation">This installation</h2>
        <ThisOne installation={installation} isHttps={isHttps} />
        <Chapter id="not-there" title="What is not there" protections={notThere} />
        <h2 id="report">Report a weakness</h2>
        <Report installation={installation} />
      </div>
    </ReadingFrame>
  );
}

const sections: Section[] = [
  ...chapters.map(({ id, title }) => ({ id, label: title })),
  { id: "installation", label: "This installation" },
  { id: "not-there", label: "What is not there" },
  { id: "report", label: "Report a weakness" },
];

function Chapter({ id, title, protections }: { id: string; title: string; protections: readonly Protection[] }) {
  return (
    <>
      <h2 id={id}>{title}</h2>
      <List protections={protections} />
    </>
  );
}

function List({ protections }: { protections: readonly Protection[] }) {
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

/** What the program knows of itself, and what its operator says, kept apart. */
function ThisOne({ installation: { host, hasS3, facts }, isHttps }: SecurityViewProps) {
  const said = [
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
      <List protections={known} />
      {said.length > 0 ? (
        <>
          <p>The operator says:</p>
          <List protections={said} />
        </>
      ) : (
        <p>
          Where the server stands, whether its disks are encrypted and how it is backed up, its operator has not said.
        </p>
      )}
    </>
  );
}

function Report({ installation: { operator, hasContactForm } }: { installation: Installation }) {
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
