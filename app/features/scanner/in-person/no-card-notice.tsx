import { ButtonLink } from "#app/ui/components/button.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

/** Each lead belongs to a card. */
export function NoCardNotice() {
  return (
    <EmptyState
      title="Create a business card first"
      text="Each lead belongs to one of your cards."
      action={
        <ButtonLink variant="main" href="/cards/edit">
          Create a business card
        </ButtonLink>
      }
    />
  );
}
