import { useEffect, useRef, useState } from "react";

import { Chevron } from "#app/ui/components/icon.tsx";

import { addScheme, CardField, visibilityGroupClass, VisibilitySelect } from "./card-field.tsx";
import type { FieldErrors } from "#app/ui/forms/versioned-values.ts";
import type { CardFormState } from "./form-state.ts";
import { optionalTextFields, optionalTextNames } from "#app/features/cards/card-fields.ts";
import type { OptionalTextField } from "#app/features/cards/card-fields.ts";
import { ContactMethodList } from "./contact-method-list.tsx";
import { hasOptionalFields, optionalTextFormFields } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";

/**
 * Fields that few cards need. Closed while they are empty; closed or open, all of them are sent with the form. `onChange` is called when
 * rows are added or removed.
 */
export function OptionalFieldsSection({ state, onChange }: OptionalFieldsSectionProps) {
  const { values, rejection } = state;
  const details = useRef<HTMLDetailsElement>(null);
  // Only the initial state: from then on the browser opens and closes it.
  const [isOpen] = useState(hasOptionalFields(values) || hasErrors(rejection?.errors));

  // A closed section would hide its errors and could not receive the focus.
  useEffect(() => {
    if (details.current && hasErrors(rejection?.errors)) details.current.open = true;
  }, [rejection]);

  return (
    <section aria-labelledby="more-title" className="rounded-card border border-line bg-raised">
      <details ref={details} open={isOpen} className="group/more">
        <summary className={summaryClass}>
          <span className="grid min-w-0 flex-1">
            <h2 id="more-title" className="text-[1.125rem] leading-7 font-semibold">
              More
            </h2>
            <span className="text-sm text-muted">Other phones and emails, website, address, titles, pronouns</span>
          </span>
          <Chevron className="transition-transform group-open/more:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="grid gap-6.5 px-5 pb-5 sm:px-6.5 sm:pb-6.5">
          <ContactMethodList state={state} list="phones" onChange={(phones) => onChange({ phones })} />
          <ContactMethodList state={state} list="emails" onChange={(emails) => onChange({ emails })} />
          <OptionalTextFields state={state} />
          <AddressFields state={state} />
        </div>
      </details>
    </section>
  );
}

type OptionalFieldsSectionProps = {
  state: CardFormState;
  onChange: (rows: Partial<Pick<CardFormValues, "phones" | "emails">>) => void;
};

function OptionalTextFields({ state }: { state: CardFormState }) {
  return (
    <div className={twoColumns}>
      {optionalTextNames.map((name) => {
        const { label, hint, autoComplete = "off", isWebAddress }: OptionalTextField = optionalTextFields[name];
        const field = { state, name, label, autoComplete, visibilityOf: name, ...(hint && { hint }) };
        if (!isWebAddress) return <CardField key={name} {...field} />;
        return (
          <div key={name} className="sm:col-span-2">
            <CardField {...field} {...webAddressInput} />
          </div>
        );
      })}
    </div>
  );
}

const webAddressInput = {
  onBlur: addScheme,
  inputMode: "url",
  autoCapitalize: "none",
  spellCheck: false,
  placeholder: "https://",
  dir: "ltr",
} as const;

/** All lines share one visibility. */
function AddressFields({ state }: { state: CardFormState }) {
  return (
    <div role="group" aria-labelledby="more-address" className={`grid gap-4 ${visibilityGroupClass}`}>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span id="more-address" className="font-medium">
          Address
        </span>
        <VisibilitySelect name="shown.address" label="Address" defaultValue={state.values.shown.address} />
      </div>
      <div className={twoColumns}>
        <div className="sm:col-span-2">
          <CardField {...{ state, name: "street", placeholder: " " }} label="Street" autoComplete="street-address" />
        </div>
        <CardField {...{ state, name: "city", placeholder: " " }} label="City" autoComplete="address-level2" />
        <CardField {...{ state, name: "region", placeholder: " " }} label="Region" autoComplete="address-level1" />
        <CardField {...{ state, name: "postcode", placeholder: " " }} label="Postcode" autoComplete="postal-code" />
        <CardField {...{ state, name: "country", placeholder: " " }} label="Country" autoComplete="country-name" />
      </div>
    </div>
  );
}

/** Whether one of the errors belongs to this section. */
function hasErrors(errors: FieldErrors | undefined): boolean {
  const ownFields = new Set<string>([...optionalTextFormFields, "phones", "emails"]);
  return Object.keys(errors ?? {}).some((field) => ownFields.has(field.split(".")[0] ?? ""));
}

const summaryClass =
  "flex list-none items-center gap-4 rounded-card p-5 hover:text-text focus-visible:-outline-offset-2 sm:p-6.5 " +
  "[&::-webkit-details-marker]:hidden";
const twoColumns = "grid items-start gap-5 sm:grid-cols-2";
