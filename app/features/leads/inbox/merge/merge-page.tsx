import { data, redirect } from "react-router";

import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { readIds } from "#app/features/leads/inbox/inbox-action.server.ts";
import { listQuery } from "#app/features/leads/inbox/filter-schema.ts";
import { listCardNames } from "#app/features/leads/inbox/inbox-data.server.ts";
import { sourceLabels, statusLabels } from "#app/features/leads/inbox/messages.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/merge-page.ts";
import { findMergeable, mergeLeads } from "./merge-data.server.ts";
import { combinedDetails, combinedTags, maxSubmissions, shareContacts } from "./person-rules.ts";

/** The leads of an address are compared before they are merged. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = services(context);
  const ownerId = requireUser(context).id;
  const ids = readIds(url.searchParams);
  const back = url.searchParams.get("back");
  const people = await findMergeable(db, { ownerId, ids });
  const [choice, cards] = [await findPreferences(db, ownerId), await listCardNames(db, ownerId)];
  return {
    isSame: shareContacts(people),
    list: listQuery(back),
    isFromInbox: back !== null,
    leftOut: ids.length - people.length,
    leads: people.map((person) => {
      const { name, email, phone, company, note } = combinedDetails(person);
      const card = cards.find(({ id }) => id === person.cardId)?.name;
      return {
        id: person.id,
        title: leadTitle({ name, email, phone, company }),
        facts: [company, email, phone].filter(Boolean),
        note,
        ownerNote: person.ownerNote,
        marks: [person.status === "new" ? "" : statusLabels[person.status], ...combinedTags(person)].filter(Boolean),
        submissions: person.merged.length + 1,
        time: formatOwnTime(person.createdAt, choice),
        origin: [sourceLabels[person.source] ?? person.source, card].filter(Boolean).join(" · "),
      };
    }),
  };
}

export async function action(args: Route.ActionArgs) {
  const { all, ownerId, form, url } = await readSentForm(args);
  const mainId = fieldId(form, "main");
  const ids = readIds(form).filter((id) => id !== mainId);
  const { kind } = await mergeLeads(all.db, { ownerId, mainId, ids, now: all.clock() });
  if (kind !== "merged") return data({ problem: problems[kind] }, { status: mainId && ids.length > 0 ? 409 : 400 });
  const query = new URLSearchParams(ids.map((id) => ["merged", id]));
  const list = listQuery(url.searchParams.get("back"));
  if (list) query.set("list", list);
  return redirect(`/leads/${mainId}?${query}`);
}

const problems = {
  changed: "Nothing was merged, because one of these leads has changed. Look at them again.",
  "too-many": `Nothing was merged. At most ${maxSubmissions} submissions can be one lead.`,
};

export function meta() {
  return [{ title: "Merge leads | Meishi" }];
}

export default function MergePage({ loaderData, actionData }: Route.ComponentProps) {
  const { leads, isSame, leftOut, list, isFromInbox } = loaderData;
  const [first] = leads;
  return (
    <Page
      width="form"
      title="Merge leads"
      back={<BackLink to={`/leads${list}`}>Leads</BackLink>}
      intro="They become one entry in your inbox and in exports. Each submission keeps its own details, notes, tags and proof of consent, and you can separate them again."
    >
      {actionData && <Notice tone="error">{actionData.problem}</Notice>}
      {leads.length < 2 || !first ? (
        <EmptyState
          title="Nothing to merge"
          text="Select at least two leads. Those that were merged, deleted or withdrawn in the meantime are left out."
          action={<ButtonLink href={`/leads${list}`}>Back to your leads</ButtonLink>}
        />
      ) : (
        <form method="post" className="grid gap-5">
          {leftOut > 0 && (
            <Notice tone="warning">
              {leftOut === 1
                ? "One of the leads that you selected is"
                : `${leftOut} of the leads that you selected are`}{" "}
              left out: merged, deleted or withdrawn already.
            </Notice>
          )}
          {!isSame && (
            <Notice tone="warning">
              These leads don’t all share an email or a phone. Check that they are the same person.
            </Notice>
          )}
          <fieldset className="min-w-0">
            <legend className="mb-1 font-semibold">Main lead</legend>
            <p className="mb-3 text-sm text-muted">
              Its details come first. The newest is chosen, because its details are most likely current.
            </p>
            <div className="grid gap-2.5">
              {leads.map((lead) => (
                <MainChoice key={lead.id} lead={lead} isChosen={lead.id === first.id} />
              ))}
            </div>
          </fieldset>
          <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
            <Button type="submit" variant="main">
              Merge {leads.length} leads
            </Button>
            <ButtonLink href={isFromInbox ? `/leads${list}` : `/leads/${first.id}`}>Cancel</ButtonLink>
          </div>
        </form>
      )}
    </Page>
  );
}

type MainChoiceProps = { lead: Route.ComponentProps["loaderData"]["leads"][number]; isChosen: boolean };

function MainChoice({ lead, isChosen }: MainChoiceProps) {
  return (
    <label className="flex cursor-pointer gap-3.5 rounded-card border border-line bg-raised p-4 hover:bg-higher has-checked:border-text sm:p-5">
      <input type="hidden" name="id" value={lead.id} />
      <input
        type="radio"
        name="main"
        value={lead.id}
        defaultChecked={isChosen}
        autoComplete="off"
        className="mt-0.5 size-5 shrink-0 accent-(--color-main)"
      />
      <span className="grid min-w-0 flex-1 gap-1">
        <span className="font-semibold wrap-anywhere">
          <bdi>{lead.title}</bdi>
        </span>
        {lead.facts.map((fact) => (
          <span key={fact} className="text-sm wrap-anywhere">
            <bdi>{fact}</bdi>
          </span>
        ))}
        {lead.note && (
          <span dir="auto" className="text-sm whitespace-pre-line text-muted wrap-anywhere">
            {lead.note}
          </span>
        )}
        {lead.ownerNote && (
          <span dir="auto" className="text-sm whitespace-pre-line wrap-anywhere">
            Your note: {lead.ownerNote}
          </span>
        )}
        <span className="text-xs text-muted wrap-anywhere">
          {[
            lead.time,
            lead.origin,
            ...lead.marks,
            ...(lead.submissions > 1 ? [`${lead.submissions} submissions`] : []),
          ].join(" · ")}
        </span>
      </span>
    </label>
  );
}
