import { LinkRow } from "#app/features/links/link-row.tsx";
import { hostLabel } from "#app/features/links/rules.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon.tsx";

import type { ShownContact } from "./contact-shown.ts";
import { reachNames } from "./more-fields.ts";
import type { Reach } from "./more-fields.ts";
import { phoneAddress } from "./phone-address.ts";

/** Everything on a card that can be tapped, as rows. Needs public.css. */
export function ContactRows({ contact, className = "rows" }: { contact: ShownContact; className?: string }) {
  const { email, phone, emails = [], phones = [], website, address = [], links } = contact;
  const rows = [
    ...reachable("Email", email, emails).map(({ label, value }, at) => (
      <Row key={`e${at}`} icon="mail" href={mailAddress(value)} words={value} label={label} />
    )),
    ...reachable("Phone", phone, phones).map(({ label, value }, at) => (
      <Row key={`p${at}`} icon="phone" href={phoneAddress(value)} words={value} label={label} />
    )),
    ...(website ? [<Row key="w" icon="globe" href={website} words={hostLabel(website)} label="Website" isPage />] : []),
    ...(address.length > 0 ? [<AddressRow key="a" lines={address} />] : []),
    ...links.map((link) => <LinkRow key={link.id} link={link} />),
  ];
  return rows.length > 0 ? <ul className={className}>{rows}</ul> : null;
}

/** One alone is simply that; of several each says its kind, and the card's own is that of work. */
function reachable(name: string, own: string | null, more: readonly Reach[]): { label: string; value: string }[] {
  if (more.length === 0) return own ? [{ label: name, value: own }] : [];
  const all: readonly Reach[] = own ? [{ kind: "work", value: own }, ...more] : more;
  return all.map(({ kind, value }) => ({ label: reachNames[kind], value }));
}

function Row({ icon, href, words, label, isPage = false }: RowProps) {
  return (
    <li>
      {/* A page opens beside this one, which it is told nothing of. */}
      <a href={href} {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}>
        <span className="icon">
          <Icon name={icon} />
        </span>
        <span className="words">
          <b dir="auto">{words}</b>
          <small>{label}</small>
        </span>
        {isPage && <Icon name="arrow-up-right" />}
      </a>
    </li>
  );
}

type RowProps = { icon: IconName; href: string; words: string; label: string; isPage?: boolean };

/** Not a link: whose maps it should open is for the visitor to say. */
function AddressRow({ lines }: { lines: readonly string[] }) {
  return (
    <li className="place">
      <span className="icon">
        <Icon name="pin" />
      </span>
      <span className="words">
        <b dir="auto">{lines.join("\n")}</b>
        <small>Address</small>
      </span>
      {/* Copying needs script: the script shows the button. */}
      <button
        className="button round"
        type="button"
        hidden
        suppressHydrationWarning
        data-copy={lines.join("\n")}
        data-toast="Address copied"
        aria-label="Copy address"
      >
        <Icon name="copy" />
      </button>
    </li>
  );
}

function mailAddress(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replace("%40", "@")}`;
}
