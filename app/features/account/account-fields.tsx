import type { ReactNode } from "react";

import { Field } from "#app/ui/field.tsx";

import { minPasswordLength } from "./rules.ts";

/** `isFirstFault`: after a refused form the cursor stands in the first field to mend, so that it is read out with what is wrong. */
type FieldProps = { error: string | undefined; isFirstFault: boolean };

export function EmailField({ email, error, isFirstFault }: FieldProps & { email: string | undefined }) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      required
      defaultValue={email}
      error={error}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page: see isFirstFault
      autoFocus={isFirstFault}
    />
  );
}

/** `isNew`: to be chosen, not remembered. Browsers offer a made-up one then. */
export function PasswordField({ label = "Password", name = "password", isNew = false, ...words }: PasswordFieldProps) {
  const { error, isFirstFault, hint, aside } = words;
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autoComplete={isNew ? "new-password" : "current-password"}
      minLength={isNew ? minPasswordLength : undefined}
      required
      error={error}
      hint={hint}
      aside={aside}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page: see isFirstFault
      autoFocus={isFirstFault}
    />
  );
}

type PasswordFieldProps = FieldProps & {
  label?: string;
  name?: string;
  isNew?: boolean;
  hint?: ReactNode;
  aside?: ReactNode;
};
