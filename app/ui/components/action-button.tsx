import type { ComponentProps } from "react";
import { Form } from "react-router";
import type { FormProps } from "react-router";

import { Button } from "./button.tsx";

type ActionButtonProps = { fields: Record<string, string>; formProps?: FormProps } & ComponentProps<typeof Button>;

/** A form that is one button, which sends `fields`. The page stays where it is scrolled to. */
export function ActionButton({ fields, formProps, ...button }: ActionButtonProps) {
  return (
    <Form method="post" preventScrollReset {...formProps}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" size="s" {...button} />
    </Form>
  );
}
