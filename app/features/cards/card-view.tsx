import { ShareButtons, ShareSheets } from "#app/features/sharing/share-view.tsx";
import type { QrDrawing, Shared } from "#app/features/sharing/share-view.tsx";
import { directionOf } from "#app/ui/direction.ts";
import { Icon } from "#app/ui/icon.tsx";
import { MadeWithMeishi } from "#app/ui/seal.tsx";

import { ContactRows } from "./contact-rows.tsx";
import type { ShownContact } from "./contact-shown.ts";
import { messages } from "./messages.ts";
import { fallbackName, PaperCard } from "./paper-card.tsx";

/** A card as a visitor sees it: the paper, what can be done with it, and everything on it as something to tap. */
export function CardView({ card, qr, idPrefix = "card" }: CardViewProps) {
  const name = card.displayName.trim() || fallbackName;
  const path = `/card/${card.id}`;
  const shared: Shared = {
    title: "Share this card",
    scan: messages.scan,
    url: card.cardUrl,
    path,
    text: `${name} – business card`,
    qr,
    idPrefix,
  };
  return (
    <main className="page" data-theme="ink" data-subject={`card:${card.id}`} dir={directionOf(name)}>
      <div className="column">
        <PaperCard card={card} />
        <div className="actions">
          {/* No `download` attribute: with it an iPhone files the contact away, without it the contact opens at once. */}
          <a
            className="button main"
            href={`${path}/contact.vcf`}
            data-toast={Object.values(messages.contactDownloaded).join("|")}
          >
            <Icon name="user-plus" />
            Save Contact
          </a>
          <ShareButtons shared={shared} />
        </div>
        <ContactRows contact={card} />
        {card.bio && (
          <section className="about">
            <h2 className="caps">About</h2>
            <p dir="auto">{card.bio}</p>
          </section>
        )}
        <p className="more">
          <a href={card.profileUrl}>View Full Profile</a>
        </p>
        {card.hasBranding && <MadeWithMeishi isSample={card.isSample} />}
      </div>
      <ShareSheets shared={shared} />
    </main>
  );
}

export type PublicCard = ShownContact & {
  id: string;
  bio: string | null;
  /** Where the profile is: its address or its path. */
  profileUrl: string;
  /** The whole public address of the card, without a source mark. */
  cardUrl: string;
  hasBranding: boolean;
  /** Nobody's real card. */
  isSample?: boolean;
};

type CardViewProps = { card: PublicCard; qr: QrDrawing; idPrefix?: string };
