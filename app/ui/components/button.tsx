import type { ComponentProps } from "react";

import { useIsHydrated } from "./hydration.ts";

/** `main` is the primary action of a screen, `quiet` a secondary one, `plain` a button without a border. */
export function Button({ variant = "quiet", size = "m", className, type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass({ variant, size, className })} {...rest} />;
}

/** A link that looks like a button. A plain `<a>`, because it may lead to a document of another kind. */
export function ButtonLink({ variant = "quiet", size = "m", className, children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonClass({ variant, size, className })} {...rest}>
      {children}
    </a>
  );
}

/** Opens the print dialog of the browser. Not there without script, which alone can open it. */
export function PrintButton() {
  if (!useIsHydrated()) return null;
  return (
    <Button size="s" className="print:hidden" onClick={() => window.print()}>
      Print
    </Button>
  );
}

/** A square button with an icon only. `label` is its accessible name and its tooltip. */
export function IconButton({ label, className = "", type = "button", ...rest }: IconButtonProps) {
  return (
    <button type={type} aria-label={label} title={label} className={`${iconButtonClass} ${className}`} {...rest} />
  );
}

function buttonClass({ variant = "quiet", size = "m", className = "" }: ButtonStyle & { className?: string }) {
  return `${baseClass} ${sizeClasses[size]} ${variantClasses[variant]} ${className}`;
}

type ButtonStyle = { variant?: "main" | "quiet" | "danger" | "plain"; size?: "s" | "m" };
type ButtonProps = ButtonStyle & ComponentProps<"button">;
type ButtonLinkProps = ButtonStyle & ComponentProps<"a">;
type IconButtonProps = { label: string } & Omit<ComponentProps<"button">, "aria-label" | "title">;

// An aria-disabled button stays in the tab order, so that its title or hint can say why.
const baseClass =
  "inline-flex items-center justify-center gap-2 rounded-control border font-semibold text-center no-underline select-none " +
  "transition-[opacity,transform] active:scale-[0.985] motion-reduce:transition-none motion-reduce:active:scale-100 " +
  "disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:cursor-not-allowed";

const sizeClasses = {
  s: "min-h-11 px-4 py-1.5 text-sm",
  m: "min-h-12 px-5.5 py-2 text-base",
};

const variantClasses = {
  main: "border-transparent bg-main text-on-main enabled:hover:opacity-90 [a&]:hover:opacity-90",
  quiet: "border-line-strong bg-transparent text-text enabled:hover:bg-higher [a&]:hover:bg-higher",
  danger: "border-current bg-transparent text-error enabled:hover:bg-error/10 [a&]:hover:bg-error/10",
  plain: "border-transparent bg-transparent font-medium text-muted enabled:hover:text-text [a&]:hover:text-text px-3!",
};

const iconButtonClass =
  "inline-grid size-11 shrink-0 place-items-center rounded-control border border-transparent text-muted transition-[opacity,transform] " +
  "enabled:hover:bg-higher enabled:hover:text-text active:scale-95 disabled:cursor-not-allowed disabled:opacity-35 " +
  "motion-reduce:transition-none motion-reduce:active:scale-100";
