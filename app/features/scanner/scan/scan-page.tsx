import { useRef, useState } from "react";

import { leadMessages } from "#app/features/leads/messages.ts";
import { detailNames } from "#app/features/leads/rules.ts";
import type { DetailName } from "#app/features/leads/rules.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import type { CardReading, ProposedField, ProposedFieldName } from "#app/features/scanner/fields/card-rules.ts";
import { saveContact } from "#app/features/scanner/in-person/in-person-action.server.ts";
import { saveContactInPlace, useNextForm } from "#app/features/scanner/in-person/in-person-client.ts";
import { readTypedContact } from "#app/features/scanner/in-person/in-person-fields.ts";
import type { ContactRejection } from "#app/features/scanner/in-person/in-person-fields.ts";
import { loadContactForm } from "#app/features/scanner/in-person/in-person-form.server.ts";
import type { ContactFormData } from "#app/features/scanner/in-person/in-person-form.server.ts";
import { ContactForm, NoCardNotice } from "#app/features/scanner/in-person/in-person-form.tsx";
import { scanMessages as messages } from "#app/features/scanner/messages.ts";
import type { CardReader } from "#app/features/scanner/reading/reader-client.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Page, PageTitle } from "#app/ui/components/page.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";
import { ToneIcon } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { inputClass } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/scan-page.ts";
import { ImagePanel } from "./image-panel.tsx";
import { fillIn, moveLine, useCardReader, useScan } from "./scan-state.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { displayName } = await loadOwnProfile(context);
  return loadContactForm(context, { displayName, query: url.searchParams });
}

export async function action(args: Route.ActionArgs) {
  const { displayName } = await loadOwnProfile(args.context);
  return saveContact(args, { displayName, source: "scan", path: "/leads/scan" });
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return saveContactInPlace({ request, serverAction });
}

export function meta() {
  return [{ title: "Scan a business card | Meishi" }];
}

export default function ScanPage({ loaderData, actionData }: Route.ComponentProps) {
  // The next card starts anew. A rejected form stays as it is, with its image.
  const { formKey, heading } = useNextForm(actionData !== undefined);
  const openReader = useCardReader();
  return (
    <Page
      title={
        <PageTitle ref={heading} tabIndex={-1} className="outline-none">
          Scan a business card
        </PageTitle>
      }
      back={<BackLink to="/leads">Leads</BackLink>}
      intro="Photograph a card that someone gave you, check what was read, and save it."
    >
      {loaderData.cards.length === 0 ? (
        <NoCardNotice />
      ) : (
        <Scanner key={formKey} form={loaderData} rejection={actionData} openReader={openReader} />
      )}
    </Page>
  );
}

type ScannerProps = {
  form: ContactFormData;
  rejection: ContactRejection | undefined;
  openReader: () => CardReader;
};

/** What is in the form since a card was read or a line moved; `after`: what the server had rejected by then. */
type Proposed = {
  count: number;
  values: ContactFormData["values"];
  lines: string[];
  after: ContactRejection | undefined;
};

function Scanner({ form, rejection, openReader }: ScannerProps) {
  const formRef = useRef<HTMLFormElement>(null);
  const [proposal, setProposal] = useState<Proposed>({ count: 0, values: form.values, lines: [], after: undefined });
  const readTyped = () => (formRef.current ? readTypedContact(new FormData(formRef.current)) : proposal.values);
  const propose = (change: Pick<Proposed, "values" | "lines">) =>
    setProposal(({ count }) => ({ count: count + 1, after: rejection, ...change }));
  const { state, scan, cancel } = useScan(openReader, (reading) => propose(fillIn(readTyped(), reading)));
  const hints = state.step === "read" ? makeHints(state.reading, proposal.values) : {};
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid min-w-0 gap-5 lg:sticky lg:top-5">
        <ImagePanel state={state} onChoose={(file) => void scan(file)} onCancel={cancel} />
        <OtherLinesPanel
          lines={proposal.lines}
          onMove={(index, field) => propose(moveLine({ values: readTyped(), lines: proposal.lines }, index, field))}
        />
      </div>
      <Panel title="Their details">
        <ContactForm
          {...form}
          // Fields with new values are new fields.
          key={proposal.count}
          values={proposal.values}
          rejection={rejection && proposal.after === rejection ? { ...rejection, typed: proposal.values } : rejection}
          formRef={formRef}
          hints={hints}
          nextLabel="Save and scan the next"
          isNextMain
        />
      </Panel>
    </div>
  );
}

/** What to look at closely, for the fields that still have what was read. */
function makeHints({ fields }: CardReading, values: ContactFormData["values"]) {
  const shown = (name: ProposedFieldName) => fields[name].value !== "" && values[name] === fields[name].value;
  const hintOf = (name: DetailName) =>
    shown(name) && !fields[name].isSure ? <CheckHint {...fields[name]} /> : undefined;
  return {
    email: hintOf("email"),
    phone: hintOf("phone"),
    company: hintOf("company"),
    title: hintOf("title"),
    website: hintOf("website"),
    name: hintOf("name") ?? (shown("name") ? messages.accents : undefined),
  };
}

function CheckHint({ confidence }: Pick<ProposedField, "confidence">) {
  return (
    <span className="flex gap-2 text-warning">
      <span className="flex h-[1.5em] items-center">
        <ToneIcon tone="warning" size={16} />
      </span>
      <span>
        <strong>{messages.check}</strong> {messages.unsure(confidence)}
      </span>
    </span>
  );
}

type OtherLinesPanelProps = { lines: readonly string[]; onMove: (index: number, field: ProposedFieldName) => void };

/** The lines of the card that are in no field. Each can be moved into one. */
function OtherLinesPanel({ lines, onMove }: OtherLinesPanelProps) {
  if (lines.length === 0) return null;
  return (
    <Panel title="Also on the card">
      <ul className="grid gap-3">
        {lines.map((line, index) => (
          <li key={`${index} ${line}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {line}
            </span>
            <span className="relative grid items-center">
              <select
                aria-label={`Move “${line}” to`}
                value=""
                onChange={({ currentTarget }) => {
                  const field = fields.find((name) => name === currentTarget.value);
                  if (field) onMove(index, field);
                }}
                className={`${inputClass} h-11 w-auto! cursor-pointer appearance-none pe-10! text-sm! text-text! *:bg-raised *:text-text`}
              >
                <option value="">Move to…</option>
                {fields.map((field) => (
                  <option key={field} value={field}>
                    {leadMessages.labels[field]}
                  </option>
                ))}
              </select>
              <Chevron className="pointer-events-none absolute end-3.5" />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const fields: readonly ProposedFieldName[] = ["note", ...detailNames];
