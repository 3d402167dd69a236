import { useEffect, useEffectEvent, useRef } from "react";

import { Field } from "#app/ui/forms/field.tsx";

import { handleFromName } from "./handle-rules.ts";
import { useHandleCheck } from "./handle-state.ts";
import type { HandleCheck } from "./handle-state.ts";

type HandleFieldProps = {
  label?: string;
  value: string;
  /** The handle that the profile has; "" without one. */
  saved: string;
  /** The owner's user id, which is in the address of a profile without a handle. */
  ownId: string;
  /** Of the public pages: "https://meishi.example". */
  origin: string;
  /** Instead of the address without a handle. */
  emptyHint?: string;
  /** The owner's name, to suggest another handle. */
  name: string;
  /** From a refused save. */
  error: string | undefined;
  /** From the same: a handle that is free. */
  free?: string | undefined;
  onChange: (handle: string) => void;
  /** For a handle that the page itself suggested: replaces one that is taken, without asking. */
  onReplace?: ((handle: string) => void) | undefined;
};

/** The handle, with the address that it gives. It is checked while it is typed. */
export function HandleField({ label = "Handle", value, saved, error, onChange, onReplace, ...more }: HandleFieldProps) {
  const { ownId, origin, emptyHint, name, free } = more;
  const root = useRef<HTMLDivElement>(null);
  const check = useHandleCheck(value, { saved, like: handleFromName(name) });
  const refused = check.kind === "refused" ? check : undefined;
  const suggestion = refused?.suggestion || (error && free);
  const replace = useEffectEvent((other: string) => onReplace?.(other));
  // The response of a request.
  useEffect(() => {
    if (suggestion) replace(suggestion);
  }, [suggestion]);
  const choose = (other: string) => {
    onChange(other);
    // The button disappears.
    root.current?.querySelector("input")?.focus();
  };
  const problem = refused?.problem ?? error;
  const handle = value.trim().toLowerCase();
  const address = `${origin.replace(/^https?:\/\//, "")}/u/${handle || ownId}`;
  const isChanged = saved !== "" && handle !== saved;
  return (
    <div ref={root} className="grid gap-1">
      <Field
        label={label}
        name="handle"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem}
        hint={
          problem ? undefined : handle || !emptyHint ? <AddressHint {...{ check, address, isChanged }} /> : emptyHint
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      {suggestion && (
        <>
          <button type="button" className={suggestionClass} onClick={() => choose(suggestion)}>
            Use {suggestion}
          </button>
          <p className="hidden text-sm text-muted noscript:block">{suggestion} is available.</p>
        </>
      )}
    </div>
  );
}

const suggestionClass =
  "inline-flex noscript:hidden min-h-11 items-center justify-self-start text-sm font-medium text-text underline underline-offset-4";

function AddressHint({ check, address, isChanged }: { check: HandleCheck; address: string; isChanged: boolean }) {
  const shown = <bdi className="text-text wrap-anywhere">{address}</bdi>;
  if (check.kind === "checking") return <>Checking {shown}…</>;
  if (check.kind === "free")
    return (
      <span role="status">
        {shown} is available.{isChanged && " Your current link will still work."}
      </span>
    );
  return (
    <>
      {isChanged || check.kind === "unknown" ? "Your page will be at" : "Your page is at"} {shown}
      {isChanged && ". Your current link will still work."}
    </>
  );
}
