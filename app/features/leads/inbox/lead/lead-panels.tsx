import type { ReactNode } from "react";

import type { Answer, Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { mailUrl } from "#app/features/cards/card-view-model.ts";
import { phoneUrl } from "#app/features/links/phone-url.ts";
import { Button, ButtonLink, PrintButton } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { consentSourceLabels, noteLabel, purposeLabels } from "#app/features/leads/inbox/messages.ts";

type LeadActionsProps = {
  id: string;
  isSpam: boolean;
  isWithdrawn: boolean;
  isMerged: boolean;
  /** How many are merged into it. */
  others: number;
};

/** What can be done with the whole lead. */
export function LeadActions({ id, isSpam, isWithdrawn, isMerged, others }: LeadActionsProps) {
  return (
    <form
      method="post"
      className="flex flex-wrap gap-2.5 max-sm:w-full max-sm:*:grow max-sm:*:basis-[40%] print:hidden"
    >
      {isSpam && (
        <Button type="submit" size="s" variant="main" name="intent" value="not-spam">
          Not spam
        </Button>
      )}
      {!isSpam && !isWithdrawn && !isMerged && (
        <Button type="submit" size="s" name="intent" value="unread">
          Mark unread
        </Button>
      )}
      {!isWithdrawn && (
        <ButtonLink size="s" href={`/leads/${id}/contact.vcf`} download>
          Save contact
        </ButtonLink>
      )}
      <PrintButton />
      <Button type="submit" size="s" variant="danger" name="intent" value="delete">
        {isMerged ? "Delete this submission" : others > 0 ? deleteLabel(others + 1) : "Delete"}
      </Button>
    </form>
  );
}

function deleteLabel(submissions: number): string {
  return submissions === 2 ? "Delete both submissions" : `Delete all ${submissions} submissions`;
}

type ContactPanelProps = {
  lead: Pick<Lead, "name" | "company" | "email" | "phone" | "note" | "source" | "spamReasons">;
};

export function ContactPanel({ lead }: ContactPanelProps) {
  const { name, company, email, phone, note, source } = lead;
  return (
    <Panel title="Contact">
      <dl className="grid gap-4">
        {name && (
          <Row label="Name" isLine>
            {name}
          </Row>
        )}
        {company && (
          <Row label="Company" isLine>
            {company}
          </Row>
        )}
        {email && (
          <Row label="Email">
            <a href={mailUrl(email)} className={contactLinkClass}>
              {email}
            </a>
            {lead.spamReasons.includes("disposable-address") && (
              <p className="text-sm text-warning">Disposable address: it may soon stop working.</p>
            )}
          </Row>
        )}
        {phone && (
          <Row label="Phone">
            <a href={phoneUrl(phone)} className={contactLinkClass}>
              {phone}
            </a>
          </Row>
        )}
        {note && <Row label={noteLabel(source)}>{note}</Row>}
      </dl>
    </Panel>
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
              <span className="font-semibold">{purposeLabels[purpose]}</span>
              <span className={`text-sm ${withdrawnTime ? "text-warning" : "text-success"}`}>
                {withdrawnTime ? `Withdrawn ${withdrawnTime}` : "Given"}
              </span>
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
