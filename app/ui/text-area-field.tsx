import { useId } from "react";
import type { ComponentProps } from "react";

import { describedBy, FieldFrame, inputLook } from "./field-frame.tsx";
import type { FieldWords } from "./field-frame.tsx";

/** Several lines of text with their label; grows with what is typed where the browser can. */
export function TextAreaField({ label, error, hint, aside, className = "", rows = 3, ...input }: TextAreaFieldProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} aside={aside}>
      <textarea
        {...describedBy(id, { hint, error })}
        {...input}
        id={id}
        rows={rows}
        className={`${inputLook} field-sizing-content min-h-22 resize-y py-3 ${className}`}
      />
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldWords & ComponentProps<"textarea">;
