import type { ReactNode } from "react";

import { Link } from "react-router";

import { leadMessages } from "#app/features/leads/messages.ts";
import { detailNames } from "#app/features/leads/rules.ts";
import type { Answer, Lead, LeadConsent, SentDetails } from "#app/features/leads/schema.ts";
import { mailUrl } from "#app/features/cards/card-view-model.ts";
import { phoneUrl } from "#app/features/links/phone-url.ts";
import { Panel } from "#app/ui/components/panel.tsx";

import { consentSourceLabels, isInPerson, noteLabel, permissionLabels } from "#app/features/leads/inbox/messages.ts";

type ContactPanelProps = {
  lead: Omit<Lead, "ownerId">;
  /** Of the page that changes the details. */
  editPath: string;
};

/** The details as the owner corrected them, and what was sent where that differs. */
export function ContactPanel({ lead, editPath }: ContactPanelProps) {
  const { name, title, company, email, phone, website, note, source, sent } = lead;
  const edit = (
    <Link to={editPath} className="-my-3 inline-block py-3 underline hover:text-text print:hidden">
      Edit
    </Link>
  );
  return (
    <Panel title="Contact" aside={edit}>
      <dl className="grid gap-4">
        {[
          ["Name", name],
          ["Title", title],
          ["Company", company],
        ].map(
          ([label = "", text]) =>
            text && (
              <Row key={label} label={label} isLine>
                {text}
              </Row>
            ),
        )}
        {email && (
          <Row label="Email">
            {[email, ...lead.otherEmails].map((address) => (
              <ContactLink key={address} href={mailUrl(address)}>
                {address}
              </ContactLink>
            ))}
            {lead.spamReasons.includes("disposable-address") && (
              <p className="text-sm text-warning">Disposable address: it may soon stop working.</p>
            )}
          </Row>
        )}
        {phone && (
          <Row label="Phone">
            {[phone, ...lead.otherPhones].map((number) => (
              <ContactLink key={number} href={phoneUrl(number)}>
                {number}
              </ContactLink>
            ))}
          </Row>
        )}
        {website && (
          <Row label="Website">
            <a href={website} target="_blank" rel="noreferrer" className={contactLinkClass}>
              {website.replace(/^https?:\/\//, "")}
            </a>
          </Row>
        )}
        {note && <Row label={noteLabel(source)}>{note}</Row>}
      </dl>
      {sent && <SentDetailsView sent={sent} source={source} />}
    </Panel>
  );
}

function ContactLink({ href, children }: { href: string; children: string }) {
  return (
    <p>
      <a href={href} className={contactLinkClass}>
        {children}
      </a>
    </p>
  );
}

/** The proof of what was sent, which never changes. */
function SentDetailsView({ sent, source }: { sent: SentDetails; source: string }) {
  return (
    <details className="mt-5 border-t border-line pt-2">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm text-muted underline underline-offset-4 hover:text-text">
        {isInPerson(source) ? "What you first saved" : "What they sent"}
      </summary>
      <dl className="mt-2 grid gap-3">
        {detailNames
          .filter((name) => sent[name] !== "")
          .map((name) => (
            <Row key={name} label={leadMessages.labels[name]} isLine>
              {sent[name]}
            </Row>
          ))}
      </dl>
    </details>
  );
}

/** As large as a finger, without more space between the lines. */
const contactLinkClass = "-my-3 inline-block py-3 underline";

export function AnswersPanel({ answers }: { answers: readonly Answer[] }) {
  return (
    <Panel title="Answers">
      <dl className="grid gap-4">
        {answers.map(({ question, answer }, index) => (
          <Row key={index} label={question}>
            {answer || "No answer"}
          </Row>
        ))}
      </dl>
    </Panel>
  );
}

type ShownConsent = Omit<LeadConsent, "givenAt" | "withdrawnAt"> & {
  givenTime: string;
  withdrawnTime: string | undefined;
};

/** The proof of what the visitor agreed to, and how long the lead is stored. */
export function ConsentPanel({ consents, endDay }: { consents: readonly ShownConsent[]; endDay: string }) {
  return (
    <Panel title="Consent">
      <ul className="grid gap-6">
        {consents.map(({ purpose, version, hash, text, source, givenTime, withdrawnTime }) => (
          <li key={purpose} className="grid gap-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <span className="font-semibold">
                {permissionLabels[purpose]}:{" "}
                <span className={withdrawnTime ? "text-warning" : "text-success"}>{withdrawnTime ? "no" : "yes"}</span>
              </span>
              {withdrawnTime && <span className="text-sm text-warning">Withdrawn {withdrawnTime}</span>}
            </p>
            <blockquote dir="auto" className="border-s-2 border-line-strong ps-3 text-sm wrap-anywhere">
              {text}
            </blockquote>
            <p className="text-sm text-muted">
              {givenTime} · {consentSourceLabels[source]} · Text version {version}
            </p>
            <p className="text-xs text-muted wrap-anywhere">
              SHA-256 of the text: <code>{hash}</code>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-5 border-t border-line pt-4 text-sm text-muted">Deleted automatically on {endDay}.</p>
    </Panel>
  );
}

type RowProps = { label: string; isLine?: boolean; children: ReactNode };

/** A detail of a `dl`. A text from right to left starts on the right, unless it `isLine`: one line stays below its label. */
export function Row({ label, isLine = false, children }: RowProps) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{label}</dt>
      <dd dir={isLine ? undefined : "auto"} className="whitespace-pre-line wrap-anywhere">
        {isLine ? <bdi>{children}</bdi> : children}
      </dd>
    </div>
  );
}
