import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";

import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { Button } from "#app/ui/components/button.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";

/** Fills in a new card from a contact file or LinkedIn data; `?import` in the address opens it. */
export function ImportSection(props: ImportSectionProps) {
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
        Import from contact or LinkedIn
      </Button>
    );
  }
  return (
    <div className="noscript:hidden">
      <LazyPart load={loadPanel} fallback={<div className="h-54" />}>
        {({ ContactImportPanel }) => <ContactImportPanel {...props} onClose={close} />}
      </LazyPart>
    </div>
  );
}

type ImportSectionProps = {
  values: CardFormValues;
  /** Of the plan. */
  maxLinks: number;
  onFill: (values: CardFormValues) => void;
};

const loadPanel = () => import("./import-panel.tsx");
