import type { ComponentProps } from "react";

import { Chevron } from "#app/ui/chevron.tsx";

import { placeWords } from "./more-text.ts";

/**
 * Where a field is shown: on the page, in the contact file, or both. It is there as soon as a field with a placeholder in the same
 * `withValue` holds something, without script as well.
 */
export function PlaceSelect({ name, label, defaultValue }: { name: string; label: string; defaultValue: string }) {
  return (
    <QuietSelect
      name={name}
      aria-label={`Where ${label} is shown`}
      defaultValue={defaultValue}
      className="-me-1.5 text-muted [text-align-last:end] hover:text-text"
      frame="invisible group-has-[[placeholder]:not(:placeholder-shown)]/placed:visible"
    >
      {Object.entries(placeWords).map(([place, words]) => (
        <option key={place} value={place}>
          {words}
        </option>
      ))}
    </QuietSelect>
  );
}

/** On what holds one or more fields, and the select for all of them. */
export const withValue = "group/placed";

/** The browser's own menu, drawn as words in a line of small text. As high as a finger, without making its line higher. */
export function QuietSelect({ frame = "", className = "", ...select }: ComponentProps<"select"> & { frame?: string }) {
  return (
    <span className={`relative -my-3 inline-flex min-w-0 items-center ${frame}`}>
      <select autoComplete="off" className={`${look} ${className}`} {...select} />
      <Chevron size={12} className="pointer-events-none absolute end-0.5" />
    </span>
  );
}

const look =
  "h-11 cursor-pointer appearance-none rounded-control bg-transparent ps-1.5 pe-6 text-sm " +
  "focus-visible:-outline-offset-4 *:bg-raised *:text-text";
