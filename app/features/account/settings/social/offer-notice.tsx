import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { ConnectionOffer } from "./offer-data.server.ts";

/** What an account that was just connected can add to the profile, each after a press. */
export function OfferNotice({ offer }: { offer: Pick<ConnectionOffer, "name" | "picture" | "profileUrl"> }) {
  const choices = [
    { intent: "link", label: "Add this profile as a link", value: offer.profileUrl },
    { intent: "photo", label: "Use this photo", value: offer.picture },
    { intent: "name", label: "Use this name", value: offer.name },
  ].filter(({ value }) => value !== "");
  if (choices.length === 0) return null;
  return (
    <div className="mx-auto w-full max-w-[1200px] px-5 pt-6">
      <Notice
        title="Add something from this account to your profile?"
        action={
          <form method="post" action="/account/connections/offer" className="flex flex-wrap gap-2.5">
            {choices.map(({ intent, label }) => (
              <Button key={intent} type="submit" name="intent" value={intent} size="s">
                {label}
              </Button>
            ))}
            <Button type="submit" name="intent" value="dismiss" size="s" variant="plain">
              Not now
            </Button>
          </form>
        }
      >
        {[offer.name, offer.profileUrl.replace(/^https:\/\/(www\.)?/, "")].filter((text) => text !== "").join(" · ")}
      </Notice>
    </div>
  );
}
