import type { Ref } from "react";

import { Field } from "#app/ui/field.tsx";

import { accents, cardModes } from "./demo-card.ts";
import type { Accent, CardMode, DemoCard } from "./demo-card.ts";

/**
 * What can be changed on the demo's card. The fields keep what is typed before the script is there; `onChange` is told of any change
 * after that. On small screens they are folded away. Without script they could do nothing, so they are not shown.
 */
export function DemoControls({ first, form, onChange }: DemoControlsProps) {
  return (
    <>
      <details className={frame}>
        <summary className={summary}>Customize Pass</summary>
        <form
          ref={form}
          aria-label="Customize Pass"
          autoComplete="off"
          className="grid gap-5 p-5 sm:p-6.5"
          onInput={(event) => onChange(event.currentTarget)}
        >
          <TextField label="Name" name="name" defaultValue={first.name} />
          <TextField label="Title" name="title" defaultValue={first.title} />
          <TextField label="Company" name="company" defaultValue={first.company} />
          <Choice legend="Accent Color" name="accent" values={accents} first={first.accent} />
          <Choice legend="Card Mode" name="mode" values={cardModes} first={first.mode} />
          <TextField
            label="QR Payload"
            name="payload"
            defaultValue={first.payload}
            hint="A path such as /u/your-handle becomes a whole address on this site. Anything else goes in as typed."
          />
        </form>
      </details>
      <p className="hidden text-muted noscript:block">
        This is the sample. With script switched on, card and code change as you type.
      </p>
    </>
  );
}

type DemoControlsProps = {
  first: DemoCard;
  form: Ref<HTMLFormElement>;
  onChange: (form: HTMLFormElement) => void;
};

function TextField(props: { label: string; name: string; defaultValue: string; hint?: string }) {
  return <Field dir="auto" autoComplete="off" spellCheck={false} {...props} />;
}

function Choice<Value extends Accent | CardMode>({ legend, name, values, first }: ChoiceProps<Value>) {
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

type ChoiceProps<Value> = { legend: string; name: string; values: readonly Value[]; first: Value };

// What is folded away on a small screen is always there on a large one, where the browser can do that.
const frame =
  "more min-w-0 rounded-card border border-line bg-raised noscript:hidden " +
  "md:supports-[selector(::details-content)]:details-content:[content-visibility:visible]";
const summary = "px-5 font-semibold md:supports-[selector(::details-content)]:hidden";
