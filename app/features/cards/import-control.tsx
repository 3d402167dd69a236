import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";

import { Button } from "#app/ui/button.tsx";
import { Late } from "#app/ui/late.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

import type { CardText } from "./card-text.ts";

/** Where a new card can be filled in from a contact file; `?import` in the address opens it. What does the work is loaded then. */
export function ImportControl(props: { text: CardText; onFill: (text: CardText) => void }) {
  const [search] = useSearchParams();
  const [isOpen, setOpen] = useState(search.has("import"));
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  if (!isOpen) {
    return (
      <Button ref={button} size="s" className="justify-self-start noscript:hidden" onClick={() => setOpen(true)}>
        Fill in from a contact file
      </Button>
    );
  }
  return (
    <div className="noscript:hidden">
      <Late load={loadImport} waiting={<Skeleton className="h-36" />}>
        {({ ImportContact }) => <ImportContact {...props} onClose={close} />}
      </Late>
    </div>
  );
}

const loadImport = () => import("./import-contact.tsx");
