import { Form, useNavigation } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

/** Turns the weekly mail on and off. `timeZone`: in words. */
export function WeeklyMailPanel({ isOn, timeZone }: { isOn: boolean; timeZone: string }) {
  const isBusy = useNavigation().formData?.get("intent") === "weekly-mail";
  return (
    <Panel title="Weekly email" aside={isOn ? "On" : "Off"} className="min-w-0 print:hidden">
      <Form method="post" preventScrollReset className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-160 text-sm text-muted">
          The figures of the week before, by email every Monday morning ({timeZone}). It pauses after two weeks without
          a visit.
        </p>
        <input type="hidden" name="isOn" value={isOn ? "" : "on"} />
        <Button type="submit" size="s" name="intent" value="weekly-mail" aria-disabled={isBusy}>
          {isOn ? "Turn off" : "Turn on"}
        </Button>
      </Form>
    </Panel>
  );
}
