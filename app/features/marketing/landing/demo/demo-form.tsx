import type { Ref } from "react";

import { Field } from "#app/ui/forms/field.tsx";

import { accents, cardModes } from "./demo-card.ts";
import type { Accent, CardMode, DemoCard } from "./demo-card.ts";

export const demoFormId = "demo-form";

/**
 * The fields of the demo's card. They are uncontrolled, so text typed before hydration stays; `onChange` reports every later change.
 * Folded on small screens. Without JavaScript the card doesn't change, so the fields are hidden unless `isUsefulWithoutScript`: a pass
 * shows what was typed. Submitted to the first steps of a new user (features/start).
 */
export function DemoForm({ first, form, isUsefulWithoutScript, onChange }: DemoFormProps) {
  return (
    <>
      <details className={`${detailsClass} ${isUsefulWithoutScript ? "" : "noscript:hidden"}`}>
        <summary className={summaryClass}>Customize Pass</summary>
        <form
          ref={form}
          id={demoFormId}
          method="post"
          action="/keep"
          aria-label="Customize Pass"
          autoComplete="off"
          className="grid gap-5 p-5 sm:p-6.5"
          onInput={(event) => onChange(event.currentTarget)}
        >
          <TextField label="Name" name="name" defaultValue={first.name} />
          <TextField label="Title" name="title" defaultValue={first.title} />
          <TextField label="Company" name="company" defaultValue={first.company} />
          <RadioGroup legend="Accent Color" name="accent" values={accents} first={first.accent} />
          <RadioGroup legend="Card Mode" name="mode" values={cardModes} first={first.mode} />
          <TextField
            label="QR Payload"
            name="payload"
            defaultValue={first.payload}
            hint="A path such as /u/your-handle becomes a full URL on this site. Anything else is encoded as typed."
          />
        </form>
      </details>
      <p className="hidden text-muted noscript:block">
        This is a sample. With JavaScript on, the card and QR code change as you type.
      </p>
    </>
  );
}

type DemoFormProps = {
  first: DemoCard;
  isUsefulWithoutScript: boolean;
  form: Ref<HTMLFormElement>;
  onChange: (form: HTMLFormElement) => void;
};

function TextField(props: { label: string; name: string; defaultValue: string; hint?: string }) {
  return <Field dir="auto" autoComplete="off" spellCheck={false} {...props} />;
}

function RadioGroup<Value extends Accent | CardMode>({ legend, name, values, first }: RadioGroupProps<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      <div className="choices">
        {values.map((value) => (
          <label key={value} className="pick">
            <input type="radio" name={name} value={value} defaultChecked={value === first} />
            <span aria-hidden="true" data-accent={value} />
            {value}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type RadioGroupProps<Value> = { legend: string; name: string; values: readonly Value[]; first: Value };

// Always unfolded on a large screen, where the browser supports `::details-content`.
const detailsClass =
  "more min-w-0 rounded-card border border-line bg-raised " +
  "md:supports-[selector(::details-content)]:details-content:[content-visibility:visible]";
const summaryClass = "px-5 font-semibold md:supports-[selector(::details-content)]:hidden";
