import type { ReactNode } from "react";

import { mailUrl } from "#app/features/cards/card-view-model.ts";
import { phoneUrl } from "#app/features/links/phone-url.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";
import { ActionMenu, menuItemClass, PrintItem } from "#app/ui/forms/action-menu.tsx";

type LeadActionsProps = {
  id: string;
  title: string;
  /** With the person's other leads; "" where there is none. */
  email: string;
  phone: string;
  /** The page that replies; undefined while the lead is suspected spam. */
  replyPath: string | undefined;
  isSpam: boolean;
  isWithdrawn: boolean;
  isMerged: boolean;
  /** How many are merged into it. */
  others: number;
};

/** What an owner does with a lead: the ways to answer as buttons, and the rest in a menu. */
export function LeadActionsBar({ title, ...lead }: LeadActionsProps) {
  const { id, email, phone, replyPath, isSpam, isWithdrawn } = lead;
  const dial = phone && phoneUrl(phone);
  return (
    <div className="flex gap-2.5 max-sm:w-full print:hidden">
      {isSpam && (
        <form method="post" className="max-sm:grow">
          <Button type="submit" size="s" variant="main" name="intent" value="not-spam" className="max-sm:w-full">
            Not spam
          </Button>
        </form>
      )}
      {email && (
        <Action icon="mail" label="Email" href={replyPath ?? mailUrl(email)} isMain={!isSpam}>
          Email
        </Action>
      )}
      {dial && (
        <Action icon="phone" label="Call" href={dial} isMain={!email && !isSpam}>
          Call
        </Action>
      )}
      {dial && (
        <Action icon="message" label="Message" href={smsUrl(dial)}>
          Message
        </Action>
      )}
      {!isWithdrawn && (
        <Action icon="user-plus" label="Save contact" href={`/leads/${id}/contact.vcf`} isDownload>
          <span>
            Save<span className="max-sm:hidden"> contact</span>
          </span>
        </Action>
      )}
      <ActionMenu
        label={`More actions for ${title}`}
        name={title}
        className="border border-line-strong opacity-100! max-sm:h-auto"
      >
        <MenuItems {...lead} dial={dial} />
      </ActionMenu>
    </div>
  );
}

type ActionProps = {
  icon: IconName;
  label: string;
  href: string;
  isMain?: boolean;
  isDownload?: boolean;
  children: ReactNode;
};

/** On a phone the icon is above the label, so that four fit beside each other. */
function Action({ icon, label, href, isMain = false, isDownload = false, children }: ActionProps) {
  return (
    <ButtonLink
      size="s"
      href={href}
      aria-label={label}
      variant={isMain ? "main" : "quiet"}
      className="max-sm:min-w-0 max-sm:flex-1 max-sm:flex-col max-sm:gap-1 max-sm:px-1! max-sm:text-xs"
      {...(isDownload && { download: true })}
    >
      <Icon name={icon} size={18} />
      {children}
    </ButtonLink>
  );
}

function MenuItems({
  id,
  isSpam,
  isWithdrawn,
  isMerged,
  others,
  dial,
}: Omit<LeadActionsProps, "title"> & { dial: string }) {
  const chat = whatsAppUrl(dial);
  return (
    <>
      {!isWithdrawn && (
        <a role="menuitem" href={`/leads/${id}/edit`} className={menuItemClass}>
          Edit details
        </a>
      )}
      {chat && (
        <a role="menuitem" href={chat} target="_blank" rel="noreferrer" className={menuItemClass}>
          WhatsApp
        </a>
      )}
      {!isSpam && !isWithdrawn && !isMerged && (
        <form method="post">
          <button role="menuitem" name="intent" value="unread" className={menuItemClass}>
            Mark unread
          </button>
        </form>
      )}
      <PrintItem />
      <form method="post">
        <button role="menuitem" name="intent" value="delete" className={`${menuItemClass} text-error!`}>
          {isMerged ? "Delete this submission" : others > 0 ? deleteLabel(others + 1) : "Delete"}
        </button>
      </form>
    </>
  );
}

function deleteLabel(submissions: number): string {
  return submissions === 2 ? "Delete both submissions" : `Delete all ${submissions} submissions`;
}

/** RFC 5724: a message has no extension to dial. */
function smsUrl(dial: string): string {
  return dial.replace(/^tel:/, "sms:").replace(/;.*$/, "");
}

/** WhatsApp knows numbers with their country's code alone. */
function whatsAppUrl(dial: string): string | undefined {
  const [, digits] = /^tel:\+(\d{7,15})/.exec(dial) ?? [];
  return digits && `https://wa.me/${digits}`;
}
