import { Link } from "react-router";

import { Row } from "#app/features/leads/inbox/lead/lead-panels.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

type ShownLead = { id: string; title: string; time: string; origin: string };

type PersonNoticesProps = {
  lead: { id: string };
  main: { id: string; title: string } | undefined;
  duplicates: readonly ShownLead[];
  /** The ids of what was merged into this lead just now. */
  justMerged: readonly string[];
};

/** What a lead has to do with other leads, and what can be done about it. */
export function PersonNotices({ lead, main, duplicates, justMerged }: PersonNoticesProps) {
  return (
    <>
      {justMerged.length > 0 && (
        <Notice
          tone="success"
          className="print:hidden"
          title={`${justMerged.length + 1} leads merged`}
          action={<SeparateForm ids={justMerged} label="Undo" />}
        />
      )}
      {main && (
        <Notice title="Merged" action={<SeparateForm ids={[lead.id]} label="Separate" />}>
          This submission is shown with{" "}
          <Link to={`/leads/${main.id}`} className="underline">
            <bdi>{main.title}</bdi>
          </Link>
          . Its notes, tags and proof of consent are its own.
        </Notice>
      )}
      {duplicates.map((other) => (
        <Notice
          key={other.id}
          tone="warning"
          title="Possible duplicate"
          action={
            <>
              <ButtonLink size="s" href={`/leads/merge?id=${lead.id}&id=${other.id}`}>
                Compare and merge
              </ButtonLink>
              <form method="post">
                <input type="hidden" name="id" value={other.id} />
                <Button type="submit" size="s" name="intent" value="distinct">
                  Not the same person
                </Button>
              </form>
            </>
          }
        >
          Same email or phone as{" "}
          <Link to={`/leads/${other.id}`} className="underline">
            <bdi>{other.title}</bdi>
          </Link>{" "}
          · {other.time} · {other.origin}
        </Notice>
      ))}
    </>
  );
}

function SeparateForm({ ids, label }: { ids: readonly string[]; label: string }) {
  return (
    <form method="post">
      {ids.map((id) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      <Button type="submit" size="s" name="intent" value="separate">
        {label}
      </Button>
    </form>
  );
}

type Submission = ShownLead & {
  details: readonly { label: string; text: string }[];
  tags: readonly string[];
  ownerNote: string;
  status: string | undefined;
};

/** What the same person shared at other times. */
export function SubmissionsPanel({ submissions }: { submissions: readonly Submission[] }) {
  return (
    <Panel title="Also shared by this person">
      <ul className="grid gap-6">
        {submissions.map(({ id, time, origin, details, tags, ownerNote, status }) => (
          <li key={id} className="grid gap-3 border-b border-line pb-6 last:border-0 last:pb-0">
            <p className="text-sm text-muted">
              {time} · {origin}
            </p>
            {details.length === 0 && <p className="text-sm">The same details.</p>}
            <dl className="grid gap-3 empty:hidden">
              {details.map(({ label, text }, index) => (
                <Row key={index} label={label}>
                  {text}
                </Row>
              ))}
              {ownerNote && <Row label="Your note">{ownerNote}</Row>}
              {tags.length > 0 && <Row label="Tags">{tags.join(", ")}</Row>}
              {status && <Row label="Status">{status}</Row>}
            </dl>
            <div className="flex flex-wrap gap-2.5 print:hidden">
              <ButtonLink size="s" href={`/leads/${id}`}>
                Notes and consent
              </ButtonLink>
              <SeparateForm ids={[id]} label="Separate" />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
