import { Field } from "#app/ui/field.tsx";

/** Where no script adds a row there is an empty one; left empty it is dropped by the save. */
export function NewLinkWithoutScript({ index }: { index: number }) {
  return (
    <noscript>
      <div className="mt-4 grid gap-4 border-t border-line pt-4">
        <Field label="Name of a new link" name={`links.${index}.label`} dir="auto" autoComplete="off" />
        <Field label="URL of a new link" name={`links.${index}.url`} dir="ltr" autoComplete="off" />
        <input type="hidden" name={`links.${index}.on`} value="on" />
        <p className="text-sm text-muted">To remove a link, empty both of its fields. To move links, allow scripts.</p>
      </div>
    </noscript>
  );
}
