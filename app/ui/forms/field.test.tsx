import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { CheckboxField, Switch } from "./checkbox-field.tsx";
import { Field, TextAreaField } from "./field.tsx";

const fields = [
  ["a field", <Field key="f" label="Email" name="email" hint="Shown on your card." error="Invalid email" />],
  [
    "a text area",
    <TextAreaField key="t" label="Email" name="email" hint="Shown on your card." error="Invalid email" />,
  ],
  ["a checkbox", <CheckboxField key="c" label="Email" name="email" hint="Shown on your card." error="Invalid email" />],
] as const;

test.each(fields)("%s is connected with its label, hint and error", (_, field) => {
  const html = renderToStaticMarkup(field);
  const id = /<label[^>]* for="([^"]+)"/.exec(html)?.[1];
  expect(html).toMatch(new RegExp(`<(input|textarea)[^>]* id="${id}"`));
  for (const text of [`aria-describedby="${id}-hint ${id}-error"`, 'aria-invalid="true"']) expect(html).toContain(text);
  expect(html).toMatch(new RegExp(`id="${id}-hint"[^>]*>Shown on your card\\.`));
  expect(html).toMatch(new RegExp(`id="${id}-error" role="alert".*Invalid email`));
});

test("a field without hint and error has no description", () => {
  const html = renderToStaticMarkup(<Field label="Email" name="email" />);
  for (const text of ["aria-describedby", "aria-invalid="]) expect(html).not.toContain(text);
});

test("a switch is a checkbox with a label, even if the label is hidden", () => {
  const html = renderToStaticMarkup(<Switch label="Show LinkedIn" name="on" isLabelHidden defaultChecked />);
  expect(html).toMatch(/<input[^>]* type="checkbox" role="switch"/);
  for (const text of ["Show LinkedIn", "checked"]) expect(html).toContain(text);
});

test("a limited field counts from four fifths of its limit on, and says when the text is too long", () => {
  const at = (length: number) =>
    renderToStaticMarkup(
      <Field label="Company" name="company" limit={{ max: 60 }} defaultValue={"x".repeat(length)} />,
    );
  expect(at(47)).not.toContain("/60");
  expect(at(48)).toContain("48/60");
  expect(at(52)).toMatch(/role="status"[^>]*>10 or fewer characters left/);
  expect(at(61)).toMatch(/role="alert".*Use at most 60 characters\./);
  expect(at(61)).toContain('aria-invalid="true"');
});
