import { CardField, visibilityGroupClass, VisibilitySelect } from "./card-field.tsx";
import type { CardFormState } from "./form-state.ts";
import { addressFields, optionalTextNames } from "#app/features/cards/card-fields.ts";
import { FoldedSection } from "./folded-section.tsx";
import { ContactMethodList } from "./contact-method-list.tsx";
import { hasOptionalFields, optionalTextFormFields, textFields } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";

/** Fields that few cards need. `onChange` is called when rows are added or removed. */
export function OptionalFieldsSection({ state, onChange }: OptionalFieldsSectionProps) {
  return (
    <FoldedSection
      title="More"
      hint="Other phone numbers and emails, website, address, titles, pronouns"
      state={state}
      fields={optionalFields}
      isFilled={hasOptionalFields(state.values)}
    >
      <ContactMethodList state={state} list="phones" onChange={(phones) => onChange({ phones })} />
      <ContactMethodList state={state} list="emails" onChange={(emails) => onChange({ emails })} />
      <TextFields state={state} names={optionalTextNames} />
      <AddressFields state={state} />
    </FoldedSection>
  );
}

const optionalFields = [...optionalTextFormFields, "phones", "emails"];

type OptionalFieldsSectionProps = {
  state: CardFormState;
  onChange: (rows: Partial<Pick<CardFormValues, "phones" | "emails">>) => void;
};

function TextFields({ state, names }: { state: CardFormState; names: typeof optionalTextFormFields }) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      {names.map((name) => (
        <div key={name} className={name === "street" || textFields[name].isWebAddress ? "sm:col-span-2" : undefined}>
          <CardField state={state} name={name} />
        </div>
      ))}
    </div>
  );
}

/** All lines share one visibility. */
function AddressFields({ state }: { state: CardFormState }) {
  return (
    <div role="group" aria-labelledby="more-address" className={`grid gap-4 ${visibilityGroupClass}`}>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span id="more-address" className="font-medium">
          Address
        </span>
        <VisibilitySelect name="visibility.address" label="Address" defaultValue={state.values.visibility.address} />
      </div>
      <TextFields state={state} names={addressFields} />
    </div>
  );
}
