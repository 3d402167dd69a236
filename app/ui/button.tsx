import type { ComponentProps } from "react";

/** Says what happens. `main` is the one thing to do on a screen; `quiet` stands beside it; `plain` is a word among words. */
export function Button({ variant = "quiet", size = "m", className, type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonLook({ variant, size, className })} {...rest} />;
}

/** A link that looks like a button. A plain `<a>`: it also leads to pages that run no script. */
export function ButtonLink({ variant = "quiet", size = "m", className, children, ...rest }: ButtonLinkProps) {
  return (
    <a className={buttonLook({ variant, size, className })} {...rest}>
      {children}
    </a>
  );
}

/** A square button with a drawing only; `label` is what it is called and what is shown as its title. */
export function IconButton({ label, className = "", type = "button", ...rest }: IconButtonProps) {
  return <button type={type} aria-label={label} title={label} className={`${iconButton} ${className}`} {...rest} />;
}

function buttonLook({ variant = "quiet", size = "m", className = "" }: Look & { className?: string }) {
  return `${shape} ${sizes[size]} ${variants[variant]} ${className}`;
}

type Look = { variant?: "main" | "quiet" | "danger" | "plain"; size?: "s" | "m" };
type ButtonProps = Look & ComponentProps<"button">;
type ButtonLinkProps = Look & ComponentProps<"a">;
type IconButtonProps = { label: string } & Omit<ComponentProps<"button">, "aria-label" | "title">;

// aria-disabled keeps a button in the tab order, so that its title or hint can say why.
const shape =
  "inline-flex items-center justify-center gap-2 rounded-control border font-semibold text-center no-underline select-none " +
  "transition-[opacity,transform] active:scale-[0.985] motion-reduce:transition-none motion-reduce:active:scale-100 " +
  "disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:cursor-not-allowed";

const sizes = {
  s: "min-h-11 px-4 py-1.5 text-sm",
  m: "min-h-12 px-5.5 py-2 text-base",
};

const variants = {
  main: "border-transparent bg-main text-on-main enabled:hover:opacity-90 [a&]:hover:opacity-90",
  quiet: "border-line-strong bg-transparent text-text enabled:hover:bg-higher [a&]:hover:bg-higher",
  danger: "border-current bg-transparent text-error enabled:hover:bg-error/10 [a&]:hover:bg-error/10",
  plain: "border-transparent bg-transparent font-medium text-muted enabled:hover:text-text [a&]:hover:text-text px-3!",
};

const iconButton =
  "inline-grid size-11 shrink-0 place-items-center rounded-control border border-transparent text-muted transition-[opacity,transform] " +
  "enabled:hover:bg-higher enabled:hover:text-text active:scale-95 disabled:cursor-not-allowed disabled:opacity-35 " +
  "motion-reduce:transition-none motion-reduce:active:scale-100";
