import { QrButton, ShareButton, ShareSheets } from "#app/features/sharing/share-view.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import type { SharedPage } from "#app/features/sharing/share-view.tsx";
import { MadeWithMeishi } from "#app/features/shell/brand.tsx";

import { ContactRows } from "./contact-rows.tsx";
import { cardDirection, plainStyle } from "#app/features/cards/card-view-model.ts";
import type { PublicCardViewModel } from "#app/features/cards/card-view-model.ts";
import { messages } from "#app/features/cards/messages.ts";
import { fallbackName, BusinessCard } from "./business-card.tsx";
import { cardRules, isLong, ShowAll } from "./show-all-field.tsx";
import { SaveContactLink, ShareDetailsLink } from "./save-contact-button.tsx";

/** A card as visitors see it, with its actions and contact rows, and for its owner the way to change and share it. */
export function PublicCardView({ card, qr, isOwner = false, wallets, css = cardRules(card) }: PublicCardViewProps) {
  const name = card.displayName.trim() || fallbackName;
  const { path } = card;
  const shared: SharedPage = {
    title: "Share this card",
    scan: messages.scan,
    url: card.cardUrl,
    path,
    text: `${name} – business card`,
    qr,
    idPrefix: "card",
  };
  const style = card.style ?? plainStyle;
  return (
    <main
      className={style.css ? "page accent" : "page"}
      data-theme={style.theme}
      data-subject={`card:${card.id}`}
      dir={cardDirection(card)}
    >
      {css && <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />}
      <div className="column">
        {isOwner && <OwnerBar id={card.id} />}
        <CardPageContent card={card} shared={shared} wallets={wallets} />
      </div>
      <ShareSheets shared={shared} />
    </main>
  );
}

type PublicCardViewProps = {
  card: PublicCardViewModel;
  qr: QrDrawing;
  isOwner?: boolean;
  /** Links to its wallet passes. */
  wallets?: React.ReactNode;
  /** The inline style of this page. */
  css?: string;
};

/** What visitors see of a card, from the card itself to the branding; `as` is the element of the name. */
export function CardPageContent({ card, shared, as, wallets }: CardPageContentProps) {
  return (
    <>
      <BusinessCard card={card} as={as} />
      <div className="actions">
        <SaveContactLink path={card.path} />
        {card.hasLeadForm && <ShareDetailsLink path={`${card.path}/connect`} />}
        <QrButton shared={shared} />
        {wallets}
      </div>
      <ContactRows card={card} />
      {card.bio && (
        <section className="about">
          <h2 className="caps">About</h2>
          <p className={isLong("bio", card.bio) ? "clamp" : undefined}>
            <bdi>{card.bio}</bdi>
          </p>
          {isLong("bio", card.bio) && <ShowAll of="about" />}
        </section>
      )}
      <div className="actions">
        <ShareButton shared={shared} />
      </div>
      <p className="more">
        <a href={card.profileUrl}>View Full Profile</a>
      </p>
      {card.hasBranding && <MadeWithMeishi isSample={card.isSample} />}
    </>
  );
}

type CardPageContentProps = {
  card: Omit<PublicCardViewModel, "id" | "cardUrl">;
  shared: Pick<SharedPage, "url" | "idPrefix">;
  as?: "h1" | "p" | undefined;
  wallets?: React.ReactNode;
};

function OwnerBar({ id }: { id: string }) {
  return (
    <aside className="notice">
      <p>
        <b>Your card</b>
      </p>
      <a className="button" href={`/cards/edit/${id}`}>
        Edit
      </a>
      <a className="button" href={`/share/card/${id}`}>
        Share
      </a>
    </aside>
  );
}
