import { useId, useRef, useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { inputLook } from "#app/ui/field-frame.tsx";

import { copy } from "./share-clipboard.ts";
import type { Copied } from "./share-clipboard.ts";

/** An address with the button that copies it. Where copying is refused the address is selected, for the keyboard or a long press. */
export function CopyField({ label, value, button }: { label: string; value: string; button: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2.5">
        <input
          ref={input}
          id={id}
          readOnly
          dir="ltr"
          value={value}
          className={`${inputLook} h-12 grow basis-56 text-sm!`}
        />
        <CopyButton content={{ text: value }} onRefused={() => input.current?.select()}>
          {button}
        </CopyButton>
      </div>
    </div>
  );
}

/** Copies, and says in its own place whether it did. */
export function CopyButton({ content, variant, onRefused, children, className }: CopyButtonProps) {
  const [result, setResult] = useState<"copied" | "refused">();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const press = async () => {
    const isCopied = await copy(content);
    if (!isCopied) onRefused?.();
    clearTimeout(timer.current);
    setResult(isCopied ? "copied" : "refused");
    timer.current = setTimeout(() => setResult(undefined), 5_000);
  };
  return (
    <>
      <Button variant={variant ?? "quiet"} className={className} onClick={() => void press()}>
        <Icon name="copy" />
        {result === "copied" ? "Copied" : children}
      </Button>
      <span role="status" className={result === "refused" ? "basis-full text-sm text-muted" : "sr-only"}>
        {result === "copied" && "Copied"}
        {result === "refused" && "The browser refused to copy. Select it and copy it by hand."}
      </span>
    </>
  );
}

type CopyButtonProps = {
  content: Copied;
  variant?: "main" | "quiet";
  /** Makes it easy to copy by hand. */
  onRefused?: () => void;
  className?: string;
  children: string;
};
