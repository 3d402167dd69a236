import { useState } from "react";

import { walletMessages } from "#app/features/wallet/messages.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import { openWalletPass } from "./pass-client.ts";

type PassButtonProps = {
  cardId: string;
  /** What it opens without script: the pass, or what it is made of. */
  href: string;
  /** Has the toast about the pass, or why there is none. */
  notify: (toast: ToastContent) => void;
  children: string;
};

/** A link to a file of the pass for Apple Wallet; with script it reports when the file is ready, or why there is none. */
export function PassButton({ cardId, href, notify, children }: PassButtonProps) {
  const [isLoading, setIsLoading] = useState(false);
  const open = async (event: React.MouseEvent) => {
    event.preventDefault();
    if (isLoading) return;
    setIsLoading(true);
    const toast = await openWalletPass(cardId, { ready: walletMessages.ready, wallet: "apple" });
    setIsLoading(false);
    notify(toast);
  };
  return (
    <ButtonLink size="s" href={href} aria-disabled={isLoading} onClick={(event) => void open(event)}>
      {isLoading ? walletMessages.loading : children}
    </ButtonLink>
  );
}
