import { Chevron } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { inputClass } from "#app/ui/forms/field.tsx";

import type { ProposedFieldName } from "#app/features/scanner/fields/card-rules.ts";
import { inPersonLabels } from "#app/features/scanner/messages.ts";

type OtherLinesPanelProps = { lines: readonly string[]; onMove: (index: number, field: ProposedFieldName) => void };

/** The lines of the card that are in no field. Each can be moved into one. */
export function OtherLinesPanel({ lines, onMove }: OtherLinesPanelProps) {
  if (lines.length === 0) return null;
  return (
    <Panel title="Also on the card">
      <ul className="grid gap-3">
        {lines.map((line, index) => (
          <li key={`${index} ${line}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {line}
            </span>
            <span className="relative grid items-center">
              <select
                aria-label={`Move “${line}” to`}
                value=""
                onChange={({ currentTarget }) => {
                  const field = fields.find((name) => name === currentTarget.value);
                  if (field) onMove(index, field);
                }}
                className={`${inputClass} h-11 w-auto! cursor-pointer appearance-none pe-10! text-sm! text-text! *:bg-raised *:text-text`}
              >
                <option value="">Move to…</option>
                {fields.map((field) => (
                  <option key={field} value={field}>
                    {inPersonLabels[field]}
                  </option>
                ))}
              </select>
              <Chevron className="pointer-events-none absolute end-3.5" />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const fields: readonly ProposedFieldName[] = ["note", "name", "email", "phone", "company"];
