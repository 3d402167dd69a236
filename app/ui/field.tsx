import { useId } from "react";
import type { ComponentProps } from "react";

import { describedBy, FieldFrame, inputLook } from "./field-frame.tsx";
import type { FieldWords } from "./field-frame.tsx";

/** One line of text with its label. Everything an `<input>` takes goes to the input. */
export function Field({ label, error, hint, aside, className = "", ...input }: FieldWords & ComponentProps<"input">) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} aside={aside}>
      <input {...describedBy(id, { hint, error })} {...input} id={id} className={`${inputLook} h-12.5 ${className}`} />
    </FieldFrame>
  );
}
