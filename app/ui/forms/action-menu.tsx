import { useId } from "react";
import type { ReactNode, RefObject } from "react";

import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";

type ActionMenuProps = {
  /** The accessible name of the button. */
  label: string;
  /** The accessible name of the menu. */
  name: string;
  menuRef?: RefObject<HTMLDivElement | null>;
  buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Of the button. */
  className?: string;
  /** Elements with `menuItemClass` and the role "menuitem", in forms where they submit one. */
  children: ReactNode;
};

/** A button with three dots, and the menu that it opens: a popover that also works without script, which adds the arrow keys. */
export function ActionMenu({ label, name, menuRef, buttonRef, className = "", children }: ActionMenuProps) {
  const id = useId();
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={`${triggerClass} ${className}`}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={label}
        title="More actions"
      >
        <Icon name="more" />
      </button>
      <div
        ref={menuRef}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={name}
        className={menuClass}
        onToggle={({ newState, target, currentTarget }) => {
          if (newState === "open" && target === currentTarget) menuItems(currentTarget)[0]?.focus();
        }}
        onKeyDown={moveFocus}
      >
        {children}
      </div>
    </>
  );
}

/** Prints the page. Not there without script, which alone can open the browser's dialog. */
export function PrintItem() {
  if (!useIsHydrated()) return null;
  const print = (event: React.MouseEvent<HTMLElement>) => {
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    window.print();
  };
  return (
    <button type="button" role="menuitem" onClick={print} className={menuItemClass}>
      Print
    </button>
  );
}

/** Arrow keys, Home and End move the focus between the items, and wrap around. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>) {
  const items = menuItems(event.currentTarget);
  const current = items.findIndex((item) => item === document.activeElement);
  const targets: Partial<Record<string, number>> = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  items.at(target % items.length)?.focus();
}

function menuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("a, button:enabled")];
}

const triggerClass =
  "inline-grid size-11 shrink-0 place-items-center rounded-control text-inherit opacity-70 hover:opacity-100 focus-visible:opacity-100";

// Next to its button in browsers with anchor positioning, otherwise in the middle of the window.
const menuClass =
  "m-auto w-52 rounded-control border border-line-strong bg-higher p-1.5 font-sans text-base text-text shadow-card " +
  "supports-[position-area:bottom]:inset-auto supports-[position-area:bottom]:m-1 [position-area:bottom_span-left] " +
  "rtl:[position-area:bottom_span-right] [position-try-fallbacks:flip-block]";

/** Without scroll margin, so that focusing an item doesn't scroll the page under the menu. */
export const menuItemClass =
  "flex min-h-11 w-full items-center gap-2 rounded-[8px] px-3.5 text-start text-sm font-medium text-text no-underline hover:bg-picked " +
  "scroll-my-0! focus-visible:bg-picked focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-45 disabled:hover:bg-transparent";
