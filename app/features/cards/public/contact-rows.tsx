import { LinkRow } from "#app/features/links/link-row.tsx";
import { dialedUrl, phoneUrl } from "#app/features/links/phone-url.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";

import type { CardViewModel } from "#app/features/cards/card-view-model.ts";
import { isLong, ShowAll } from "./show-all-field.tsx";
import { contactMethodLabels } from "#app/features/cards/card-fields.ts";
import type { ContactMethod } from "#app/features/cards/card-fields.ts";
import { mailUrl, optionalTextRows } from "#app/features/cards/card-view-model.ts";

/** The contact methods, links and address of a card, as rows to tap. Needs public-page.css. */
export function ContactRows({ card, className = "rows" }: { card: CardViewModel; className?: string }) {
  const { email, phone, emails = [], phones = [], address = [], links } = card;
  const rows = [
    ...labelContactMethods("Email", email, emails).map(({ label, value }, index) => (
      <ContactRow key={`e${index}`} icon="mail" href={mailUrl(value)} text={value} label={label} />
    )),
    ...labelContactMethods("Phone", phone, phones).map(({ label, value }, index) => (
      <ContactRow key={`p${index}`} icon="phone" href={phoneUrl(value)} text={value} label={label} />
    )),
    ...optionalTextRows(card).map(({ href, ...row }) =>
      href ? <ContactRow key={row.label} {...row} href={href} isPage /> : <CopyRow key={row.label} {...row} />,
    ),
    ...(address.length > 0 ? [<CopyRow key="a" icon="pin" text={address.join("\n")} label="Address" />] : []),
    ...links.map((link) => <LinkRow key={link.id} link={{ ...link, href: dialedUrl(link.url) }} />),
  ];
  return rows.length > 0 ? <ul className={className}>{rows}</ul> : null;
}

/** A single one is just labeled "Email". Several are labeled by kind, and the card's own is "Work". */
function labelContactMethods(
  name: string,
  own: string | null,
  additional: readonly ContactMethod[],
): { label: string; value: string }[] {
  if (additional.length === 0) return own ? [{ label: name, value: own }] : [];
  const all: readonly ContactMethod[] = own ? [{ kind: "work", value: own }, ...additional] : additional;
  return all.map(({ kind, value }) => ({ label: contactMethodLabels[kind], value }));
}

function ContactRow({ href, isPage = false, ...row }: RowProps & { href: string; isPage?: boolean }) {
  return (
    <li>
      {/* Opens a page in a new tab, without access to this one. */}
      <a href={href} {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}>
        <RowText {...row} />
        {isPage && <Icon name="arrow-up-right" />}
      </a>
      {isLong("row", row.text) && <ShowAll of={row.label} />}
    </li>
  );
}

/** Not a link: with an address, the visitor chooses the map service. */
function CopyRow(row: RowProps) {
  const name = row.label.toLowerCase();
  return (
    <li className="postal">
      <RowText {...row} />
      {/* Copying needs the script, which shows the button. */}
      <button
        className="button round"
        type="button"
        hidden
        suppressHydrationWarning
        data-copy={row.text}
        data-toast={`${row.label} copied`}
        aria-label={`Copy ${name}`}
      >
        <Icon name="copy" />
      </button>
      {isLong("row", row.text) && <ShowAll of={name} />}
    </li>
  );
}

function RowText({ icon, text, label }: RowProps) {
  return (
    <>
      <span className="icon">
        <Icon name={icon} />
      </span>
      <span className="text">
        <b className={isLong("row", text) ? "clamp" : undefined} dir="auto">
          {text}
        </b>
        <small>{label}</small>
      </span>
    </>
  );
}

type RowProps = { icon: IconName; text: string; label: string };
