import { addScheme, CardField, visibilityGroupClass, VisibilitySelect } from "./card-field.tsx";
import type { CardFormState } from "./form-state.ts";
import { optionalTexts } from "#app/features/cards/card-fields.ts";
import { FoldedSection } from "./folded-section.tsx";
import { ContactMethodList } from "./contact-method-list.tsx";
import { hasOptionalFields, optionalTextFormFields } from "#app/features/cards/card-form.ts";
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
      <OptionalTextFields state={state} />
      <AddressFields state={state} />
    </FoldedSection>
  );
}

const optionalFields = [...optionalTextFormFields, "phones", "emails"];

type OptionalFieldsSectionProps = {
  state: CardFormState;
  onChange: (rows: Partial<Pick<CardFormValues, "phones" | "emails">>) => void;
};

function OptionalTextFields({ state }: { state: CardFormState }) {
  return (
    <div className={twoColumns}>
      {optionalTexts.map(({ name, label, hint, autoComplete = "off", isWebAddress }) => {
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
        <VisibilitySelect name="visibility.address" label="Address" defaultValue={state.values.visibility.address} />
      </div>
      <div className={twoColumns}>
        <div className="sm:col-span-2">
          <CardField {...{ state, name: "street", placeholder: " " }} label="Street" autoComplete="street-address" />
        </div>
        <CardField {...{ state, name: "city", placeholder: " " }} label="City" autoComplete="address-level2" />
        <CardField
          {...{ state, name: "region", placeholder: " " }}
          label="State or region"
          autoComplete="address-level1"
        />
        <CardField {...{ state, name: "postcode", placeholder: " " }} label="Postal code" autoComplete="postal-code" />
        <CardField {...{ state, name: "country", placeholder: " " }} label="Country" autoComplete="country-name" />
      </div>
    </div>
  );
}

const twoColumns = "grid items-start gap-5 sm:grid-cols-2";
