import { useEffect, useId, useRef, useState } from "react";

import { LinkRow } from "#app/features/links/link-row.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { directionOf } from "#app/ui/direction.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";

import type { ShownCard } from "./details-text.ts";
import { messages } from "./messages.ts";
import { PaperCard } from "./paper-card.tsx";
import { phoneAddress } from "./phone-address.ts";

/** The card in the card dialog: the paper, what can be done with it, and everything on it as something to tap. */
export function CardPanel({ card, onSaveContact }: { card: ShownCard; onSaveContact: () => void }) {
  const { text, yearsExperience, hidden } = card;
  const printed = {
    displayName: text.display_name,
    profession: text.profession || null,
    company: text.company || null,
    position: text.position || null,
    email: text.email || null,
    phone: text.phone || null,
    yearsExperience,
  };
  return (
    <div className="grid gap-5">
      <div className="[&_[data-long]]:text-lg!" dir={directionOf(printed.displayName)}>
        <PaperCard card={printed} as="p" />
      </div>
      {hidden ? (
        <Notice title={hidden.title}>{hidden.text}</Notice>
      ) : (
        <CardActions card={card} onSaveContact={onSaveContact} />
      )}
      <ContactRows card={card} />
      {text.bio && (
        <section>
          <h3 className="eyebrow">About</h3>
          <p className="mt-1 whitespace-pre-line" dir="auto">
            {text.bio}
          </p>
        </section>
      )}
    </div>
  );
}

function CardActions({ card: { id, qr }, onSaveContact }: { card: ShownCard; onSaveContact: () => void }) {
  const panelId = useId();
  const panel = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // It opens below the fold of a small screen: the browser is asked to show it.
  useEffect(() => {
    if (isOpen) panel.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <div>
      <div className="grid grid-cols-3 gap-2.5">
        <ButtonLink variant="main" href={`/card/${id}/contact.vcf`} onClick={onSaveContact} className="px-2!">
          <Icon name="user-plus" />
          Save
        </ButtonLink>
        <Button onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen} aria-controls={panelId} className="px-2!">
          <Icon name="qr" />
          QR
        </Button>
        <ButtonLink href={`/card/${id}`} target="_blank" className="px-2!">
          <Icon name="arrow-up-right" />
          Full
        </ButtonLink>
      </div>
      <section ref={panel} id={panelId} hidden={!isOpen} aria-label="Share this card" className={shareLook}>
        <h3 className="font-semibold">Share this card</h3>
        <svg
          className="mx-auto my-4 block w-60 max-w-full rounded-control bg-white forced-color-adjust-none"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label="QR code"
        >
          <path d={qr.d} fill="none" stroke="#000" />
        </svg>
        <p className="text-sm text-muted">{messages.scan}</p>
      </section>
    </div>
  );
}

function ContactRows({ card: { text, links } }: { card: ShownCard }) {
  if (!text.email && !text.phone && links.length === 0) return null;
  return (
    <ul className={`rows ${rowsLook}`}>
      {text.email && (
        <ContactRow
          icon="mail"
          href={`mailto:${encodeURIComponent(text.email.toWellFormed()).replace("%40", "@")}`}
          label="Email"
        >
          {text.email}
        </ContactRow>
      )}
      {text.phone && (
        <ContactRow icon="phone" href={phoneAddress(text.phone)} label="Phone">
          {text.phone}
        </ContactRow>
      )}
      {links.map((link) => (
        <LinkRow key={link.id} link={link} />
      ))}
    </ul>
  );
}

function ContactRow({
  icon,
  href,
  label,
  children,
}: {
  icon: IconName;
  href: string;
  label: string;
  children: string;
}) {
  return (
    <li>
      <a href={href}>
        <span className="icon">
          <Icon name={icon} />
        </span>
        <span className="words">
          <b dir="auto">{children}</b>
          <small>{label}</small>
        </span>
      </a>
    </li>
  );
}

const shareLook = "mt-2.5 rounded-card border border-line bg-ground p-5 text-center";
/** The rows of a visitor's page, in the dialog's own colours. */
const rowsLook =
  "[--line:var(--color-line)] [--muted:var(--color-muted)] [--text:var(--color-text)] [--raised:var(--color-higher)] " +
  "[&_small]:block [&_small]:text-sm [&_small]:text-muted";
