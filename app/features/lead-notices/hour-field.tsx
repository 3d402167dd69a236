import { SelectField } from "#app/ui/forms/select-field.tsx";

/** The hour of a daily summary. */
export function HourField({ id, hour, timeZone }: { id: string; hour: number; timeZone: string }) {
  return (
    <SelectField
      id={id}
      label="At"
      name="hour"
      value={String(hour)}
      hint={`In your time zone (${timeZone}), if there are new leads.`}
      options={hours}
    />
  );
}

const hours = Array.from({ length: 24 }, (_, hour): [string, string] => [
  String(hour),
  `${String(hour).padStart(2, "0")}:00`,
]);
