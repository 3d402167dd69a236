import { Notice } from "#app/ui/components/notice.tsx";

/** Above a form that comes back from a proof of identity, filled in: nothing was saved yet. */
export function ConfirmedNotice({ button }: { button: string }) {
  return <Notice tone="success" title={`Confirmed. Press “${button}” to finish.`} />;
}
