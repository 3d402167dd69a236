import { useId, useRef } from "react";

import { copy } from "#app/features/sharing/copy-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import { messages } from "#app/features/cards/messages.ts";

/** The public address of a saved card, to copy or share. */
export function PublicAddress({ card: { id: cardId, cardUrl, hidden }, notify }: PublicAddressProps) {
  const id = useId();
  const address = useRef<HTMLParagraphElement>(null);
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line p-4 ps-5"
    >
      <div className="min-w-0 grow basis-60">
        <h2 id={`${id}-title`} className="text-sm text-muted">
          Public link
        </h2>
        <p ref={address} dir="ltr" className="text-sm wrap-anywhere select-all">
          {cardUrl}
        </p>
        {hidden && <p className="mt-1 text-sm text-muted">{hidden.text}</p>}
      </div>
      <div className="flex flex-wrap gap-2.5">
        <CopyLinkButton url={cardUrl} notify={notify} onRefused={() => selectContents(address.current)} />
        <ButtonLink size="s" href={`/share/card/${cardId}`}>
          <Icon name="share" />
          Share
        </ButtonLink>
      </div>
    </section>
  );
}

type PublicAddressProps = {
  card: {
    id: string;
    /** The full address, without a source mark. */
    cardUrl: string;
    /** Why visitors can't open it; undefined when they can. */
    hidden: { text: string } | undefined;
  };
  notify: (toast: ToastContent) => void;
};

/** Copies an address and reports whether that worked. */
export function CopyLinkButton({ url, notify, onRefused, className }: CopyLinkButtonProps) {
  const press = async () => {
    const isCopied = await copy({ text: url });
    if (!isCopied) onRefused?.();
    notify(isCopied ? messages.linkCopied : messages.linkNotCopied);
  };
  return (
    <Button size="s" className={`noscript:hidden ${className ?? ""}`} onClick={() => void press()}>
      <Icon name="copy" />
      Copy link
    </Button>
  );
}

type CopyLinkButtonProps = {
  url: string;
  notify: (toast: ToastContent) => void;
  /** Called when the browser refuses: select the address, so that it can be copied manually. */
  onRefused?: () => void;
  className?: string;
};

function selectContents(element: Element | null) {
  if (element) getSelection()?.selectAllChildren(element);
}
