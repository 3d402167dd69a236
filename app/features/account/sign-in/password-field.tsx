import { useId } from "react";
import type { MouseEvent, ReactNode } from "react";

import { minPasswordLength } from "#app/features/account/rules.ts";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { describedBy, FieldFrame, inputClass } from "#app/ui/forms/field.tsx";

import { togglePassword } from "./password-script.ts";

type PasswordFieldProps = {
  label?: string;
  name?: string;
  /** A password to be chosen, for which browsers suggest one. */
  isNew?: boolean;
  error: string | undefined;
  /** The first invalid field of a rejected form gets the focus, so that screen readers announce its error. */
  isFirstProblem: boolean;
  hint?: ReactNode;
  aside?: ReactNode;
};

/** A password with a button that shows it, where JavaScript runs: on the sign-in pages their own script, elsewhere React. */
export function PasswordField({ label = "Password", name = "password", isNew = false, ...rest }: PasswordFieldProps) {
  const id = useId();
  const { error, isFirstProblem, hint, aside } = rest;
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} aside={aside}>
      <div className="relative">
        <input
          {...describedBy(id, { hint, error })}
          id={id}
          name={name}
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          minLength={isNew ? minPasswordLength : undefined}
          required
          // For while it is shown.
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page: see isFirstProblem
          autoFocus={isFirstProblem}
          className={`${inputClass} h-12.5 pe-18 [&::-ms-reveal]:hidden`}
        />
        <button
          type="button"
          data-reveal
          hidden={!useIsHydrated()}
          onMouseDown={keepFocus}
          onClick={(event) => togglePassword(event.currentTarget)}
          className={revealClass}
        >
          <span>Show</span>
          <span className="sr-only"> {label.toLowerCase()}</span>
        </button>
      </div>
    </FieldFrame>
  );
}

/** The focus stays in the field when its button is pressed. */
function keepFocus(event: MouseEvent) {
  event.preventDefault();
}

const revealClass =
  "absolute inset-y-0 end-0 min-w-16 rounded-control px-4 text-sm font-medium text-muted hover:text-text focus-visible:-outline-offset-2";
