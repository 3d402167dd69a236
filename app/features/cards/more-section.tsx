import { useEffect, useRef, useState } from "react";

import { Chevron } from "#app/ui/chevron.tsx";

import { addScheme } from "./add-scheme.ts";
import { CardField } from "./card-field.tsx";
import type { CardErrors } from "./card-text.ts";
import type { Editing } from "./editing.ts";
import type { moreLines } from "./more-fields.ts";
import { PlaceSelect, withValue } from "./more-place.tsx";
import { ReachList } from "./more-reach.tsx";
import { hasMore, moreTextFields } from "./more-text.ts";
import type { MoreText } from "./more-text.ts";

/**
 * What a contact may need beside the rest. Closed while there is nothing in it; closed or open, all of it is sent with the form.
 * `onChange` hears of rows added and removed.
 */
export function MoreSection({ editing, onChange }: MoreSectionProps) {
  const { text, answer } = editing;
  const details = useRef<HTMLDetailsElement>(null);
  // As it was when it came: from then on the browser opens and closes it.
  const [isOpen] = useState(hasMore(text) || isWrong(answer?.errors));

  // The browser keeps whether it is open. Where something is wrong, it is: what is closed can't be gone to.
  useEffect(() => {
    if (details.current && isWrong(answer?.errors)) details.current.open = true;
  }, [answer]);

  return (
    <section aria-labelledby="more-title" className="rounded-card border border-line bg-raised">
      <details ref={details} open={isOpen} className="group/more">
        <summary className={summaryLook}>
          <span className="grid min-w-0 flex-1">
            <h2 id="more-title" className="text-[1.125rem] leading-7 font-semibold">
              More
            </h2>
            <span className="text-sm text-muted">Other phones and emails, website, address, titles, pronouns</span>
          </span>
          <Chevron className="transition-transform group-open/more:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="grid gap-6.5 px-5 pb-5 sm:px-6.5 sm:pb-6.5">
          <ReachList editing={editing} list="phones" onChange={(phones) => onChange({ phones })} />
          <ReachList editing={editing} list="emails" onChange={(emails) => onChange({ emails })} />
          <LineFields editing={editing} />
          <AddressFields editing={editing} />
        </div>
      </details>
    </section>
  );
}

type MoreSectionProps = { editing: Editing; onChange: (rows: Partial<Pick<MoreText, "phones" | "emails">>) => void };

function LineFields({ editing }: { editing: Editing }) {
  const field = (name: (typeof moreLines)[number]) => ({ editing, name, placed: name });
  return (
    <div className={twoColumns}>
      <CardField {...field("prefix")} label="Prefix" hint="Before the name: Dr." autoComplete="honorific-prefix" />
      <CardField {...field("suffix")} label="Suffix" hint="After the name: PhD" autoComplete="honorific-suffix" />
      <CardField {...field("pronouns")} label="Pronouns" autoComplete="off" />
      <CardField {...field("department")} label="Department" autoComplete="off" />
      <div className="sm:col-span-2">
        <CardField
          {...field("website")}
          label="Website"
          onBlur={addScheme}
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
          dir="ltr"
        />
      </div>
    </div>
  );
}

/** One place for all its lines. */
function AddressFields({ editing }: { editing: Editing }) {
  return (
    <div role="group" aria-labelledby="more-address" className={`grid gap-4 ${withValue}`}>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span id="more-address" className="font-medium">
          Address
        </span>
        <PlaceSelect name="shown.address" label="Address" defaultValue={editing.text.shown.address} />
      </div>
      <div className={twoColumns}>
        <div className="sm:col-span-2">
          <CardField {...{ editing, name: "street", placeholder: " " }} label="Street" autoComplete="street-address" />
        </div>
        <CardField {...{ editing, name: "city", placeholder: " " }} label="City" autoComplete="address-level2" />
        <CardField {...{ editing, name: "region", placeholder: " " }} label="Region" autoComplete="address-level1" />
        <CardField {...{ editing, name: "postcode", placeholder: " " }} label="Postcode" autoComplete="postal-code" />
        <CardField {...{ editing, name: "country", placeholder: " " }} label="Country" autoComplete="country-name" />
      </div>
    </div>
  );
}

/** Whether any of the errors is in here. */
function isWrong(errors: CardErrors | undefined): boolean {
  const own = new Set<string>([...moreTextFields, "phones", "emails"]);
  return Object.keys(errors ?? {}).some((field) => own.has(field.split(".")[0] ?? ""));
}

const summaryLook =
  "flex list-none items-center gap-4 rounded-card p-5 hover:text-text focus-visible:-outline-offset-2 sm:p-6.5 " +
  "[&::-webkit-details-marker]:hidden";
const twoColumns = "grid items-start gap-5 sm:grid-cols-2";
