import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** Why a card has no form that a device could show. */
export function FormStateNotice({ cardId, state }: { cardId: string; state: "off" | "hidden" }) {
  const isOff = state === "off";
  return (
    <Notice
      tone="warning"
      title={isOff ? "The form of this card is off" : "Visitors can’t open this card"}
      action={
        <ButtonLink size="s" href={isOff ? `/cards/${cardId}/leads` : `/cards/edit/${cardId}`}>
          {isOff ? "Set up the form" : "Edit card"}
        </ButtonLink>
      }
    >
      {isOff ? "Switch it on first." : "Make it public first."} Until then kiosk links show no form. Contacts that are
      stored on their devices are still sent.
    </Notice>
  );
}
