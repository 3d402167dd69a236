import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { CheckboxField } from "./checkbox-field.tsx";
import { Field } from "./field.tsx";
import { Switch } from "./switch.tsx";
import { TextAreaField } from "./text-area-field.tsx";

const fields = [
  ["a field", <Field key="f" label="Email" name="email" hint="Shown on your card." error="Invalid email" />],
  [
    "a text area",
    <TextAreaField key="t" label="Email" name="email" hint="Shown on your card." error="Invalid email" />,
  ],
  ["a checkbox", <CheckboxField key="c" label="Email" name="email" hint="Shown on your card." error="Invalid email" />],
] as const;

test.each(fields)("%s is named by its label, and its hint and error are read out with it", (_, field) => {
  const html = renderToStaticMarkup(field);
  const id = /<label[^>]* for="([^"]+)"/.exec(html)?.[1];
  expect(html).toMatch(new RegExp(`<(input|textarea)[^>]* id="${id}"`));
  expect(html).toContain(`aria-describedby="${id}-hint ${id}-error"`);
  expect(html).toContain('aria-invalid="true"');
  expect(html).toMatch(new RegExp(`id="${id}-hint"[^>]*>Shown on your card\\.`));
  expect(html).toMatch(new RegExp(`id="${id}-error" role="alert".*Invalid email`));
});

test("a field with nothing to say about it points nowhere", () => {
  const html = renderToStaticMarkup(<Field label="Email" name="email" />);
  expect(html).not.toContain("aria-describedby");
  expect(html).not.toContain("aria-invalid=");
});

test("a switch is a checkbox that its form sends, with its label read out even where it is not shown", () => {
  const html = renderToStaticMarkup(<Switch label="Show LinkedIn" name="on" isLabelHidden defaultChecked />);
  expect(html).toMatch(/<input[^>]* type="checkbox" role="switch"/);
  expect(html).toContain("Show LinkedIn");
  expect(html).toContain("checked");
});
