import { useId, useRef } from "react";

import { copy } from "#app/features/sharing/share-clipboard.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { ToastWords } from "#app/ui/toast.tsx";

import { messages } from "./messages.ts";

/** Where a saved card is for everyone, to be copied and handed on. */
export function CardAddress({ card: { id: cardId, cardUrl, hidden }, say }: CardAddressProps) {
  const id = useId();
  const address = useRef<HTMLParagraphElement>(null);
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line p-4 ps-5"
    >
      <div className="min-w-0 grow basis-60">
        <h2 id={`${id}-title`} className="text-sm text-muted">
          Public address
        </h2>
        <p ref={address} dir="ltr" className="text-sm wrap-anywhere select-all">
          {cardUrl}
        </p>
        {hidden && <p className="mt-1 text-sm text-muted">{hidden.text}</p>}
      </div>
      <div className="flex flex-wrap gap-2.5">
        <CopyLink url={cardUrl} say={say} onRefused={() => select(address.current)} />
        <ButtonLink size="s" href={`/share/card/${cardId}`}>
          <Icon name="share" />
          Share
        </ButtonLink>
      </div>
    </section>
  );
}

type CardAddressProps = {
  card: {
    id: string;
    /** The whole address, without a source mark. */
    cardUrl: string;
    /** Why visitors can't open it, where they can't. */
    hidden: { text: string } | undefined;
  };
  say: (words: ToastWords) => void;
};

/** Copies an address and says so, or why not. */
export function CopyLink({ url, say, onRefused, className }: CopyLinkProps) {
  const press = async () => {
    const isCopied = await copy({ text: url });
    if (!isCopied) onRefused?.();
    say(isCopied ? messages.linkCopied : messages.linkNotCopied);
  };
  return (
    <Button size="s" className={`noscript:hidden ${className ?? ""}`} onClick={() => void press()}>
      <Icon name="copy" />
      Copy link
    </Button>
  );
}

type CopyLinkProps = {
  url: string;
  say: (words: ToastWords) => void;
  /** Makes it easy to copy by hand. */
  onRefused?: () => void;
  className?: string;
};

function select(element: Element | null) {
  if (element) getSelection()?.selectAllChildren(element);
}
