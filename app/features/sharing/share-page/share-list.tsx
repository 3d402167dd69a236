import type { ReactNode } from "react";
import { Link } from "react-router";

import { Icon, IconDrawing } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";

/** Links to the other ways to share a profile or card, each with a page of its own. */
export function ShareList(props: ShareListProps) {
  return (
    <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-raised">
      {listEntries(props).map((entry) => (
        <ShareEntryRow key={entry.to} {...entry} />
      ))}
    </ul>
  );
}

type ShareListProps = { sharePath: string; card: ShareCard | undefined };

/** `wallets`: which ones can be offered. */
export type ShareCard = { id: string; wallets: { apple: boolean; google: boolean } };

/** A link to a page of its own. `isDocument`: a page without our script, which the browser loads itself. */
type ShareEntry = { to: string; icon: ReactNode; name: string; text: string; isDocument?: boolean };

/** The other ways to share, in this order. */
function listEntries({ sharePath, card }: ShareListProps): ShareEntry[] {
  const at = (section: string) => `${sharePath}/${section}`;
  const entries: (ShareEntry | false | undefined)[] = [
    card && {
      to: `/cards/${card.id}/hand-over`,
      icon: icon("user-send"),
      name: "Hand over this phone",
      text: "Visitors type into it, locked until you take it back",
    },
    {
      to: at("signature"),
      icon: icon("mail"),
      name: "Email signature",
      text: "Four designs to copy into your email app",
    },
    { to: at("print"), icon: icon("document"), name: "Print", text: "A PDF of cards to print and cut out" },
    {
      to: at("background"),
      icon: videoIcon,
      name: "Call background",
      text: "An image with your QR code for video calls",
    },
    { to: at("nfc"), icon: tagIcon, name: "NFC tag", text: "Opens your page when someone taps it" },
    card && {
      to: at("offline"),
      icon: icon("phone"),
      name: "Offline contact code",
      text: "Works without a connection",
    },
    { to: at("qr"), icon: icon("qr"), name: "QR code design", text: "Color, logo, and files for print and screens" },
    card &&
      (card.wallets.apple || card.wallets.google) && {
        to: `/cards/${card.id}/pass`,
        icon: icon("wallet"),
        name: "Wallet pass",
        text: "Its design, and who has added it",
      },
    card && {
      to: `/cards/${card.id}/kiosk`,
      icon: icon("message"),
      name: "Kiosk",
      text: "Visitors leave their details on a tablet at a booth",
    },
    { to: "/my-qr", icon: icon("contrast"), name: "My QR", text: "All your codes, full screen", isDocument: true },
  ];
  return entries.filter((entry) => typeof entry === "object");
}

const icon = (name: IconName) => <Icon name={name} size={24} />;
const videoIcon = <IconDrawing size={24} path="M3.5 6.5h11v11h-11zM14.5 10.8l6-3.3v9l-6-3.3" />;
const tagIcon = (
  <IconDrawing size={24} path="M5.5 9a5.5 5.5 0 0 1 0 6M9.5 6.5a10 10 0 0 1 0 11M13.5 4a14.5 14.5 0 0 1 0 16" />
);

function ShareEntryRow({ to, icon: drawing, name, text, isDocument = false }: ShareEntry) {
  return (
    <li>
      <Link to={to} reloadDocument={isDocument} className={entryClass}>
        {drawing}
        <span className="grid min-w-0 flex-1">
          <span className="font-medium text-text">{name}</span>
          <span className="text-sm">{text}</span>
        </span>
        <span aria-hidden="true" className="rtl:-scale-x-100">
          →
        </span>
      </Link>
    </li>
  );
}

const entryClass =
  "flex min-h-16 items-center gap-4 px-5 py-2.5 text-muted no-underline -outline-offset-2 hover:bg-higher";
