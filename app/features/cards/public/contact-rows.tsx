import { LinkRow } from "#app/features/links/link-row.tsx";
import { dialedUrl, phoneUrl } from "#app/features/links/phone-url.ts";
import { hostLabel } from "#app/features/links/rules.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";

import type { CardViewModel } from "#app/features/cards/card-view-model.ts";
import { isLong, ShowAll } from "./show-all-field.tsx";
import { contactMethodLabels, optionalTexts } from "#app/features/cards/card-fields.ts";
import type { ContactMethod } from "#app/features/cards/card-fields.ts";
import { mailUrl } from "#app/features/cards/card-view-model.ts";

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
    ...optionalTexts.flatMap(({ name, label, icon, isWebAddress }) => {
      const text = card[name];
      if (!text || !icon) return [];
      const row = isWebAddress ? { text: hostLabel(text), href: text, isPage: true } : { text };
      return <ContactRow key={name} {...{ icon, label }} {...row} />;
    }),
    ...(address.length > 0 ? [<ContactRow key="a" icon="pin" text={address.join("\n")} label="Address" />] : []),
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

/** A link, or a text to copy: with an address, the visitor chooses the map service. */
function ContactRow({ icon, href, text, label, isPage = false }: ContactRowProps) {
  const isClamped = isLong("row", text);
  const content = (
    <>
      <span className="icon">
        <Icon name={icon} />
      </span>
      <span className="text">
        <b className={isClamped ? "clamp" : undefined} dir="auto">
          {text}
        </b>
        <small>{label}</small>
      </span>
      {isPage && <Icon name="arrow-up-right" />}
    </>
  );
  const name = label.toLowerCase();
  return href ? (
    <li>
      {/* Opens a page in a new tab, without access to this one. */}
      <a href={href} {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}>
        {content}
      </a>
      {isClamped && <ShowAll of={label} />}
    </li>
  ) : (
    <li className="postal">
      {content}
      {/* Copying needs the script, which shows the button. */}
      <button
        className="button round"
        type="button"
        hidden
        suppressHydrationWarning
        data-copy={text}
        data-toast={`${label} copied`}
        aria-label={`Copy ${name}`}
      >
        <Icon name="copy" />
      </button>
      {isClamped && <ShowAll of={name} />}
    </li>
  );
}

type ContactRowProps = { icon: IconName; href?: string; text: string; label: string; isPage?: boolean };
