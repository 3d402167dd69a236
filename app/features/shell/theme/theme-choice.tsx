import { useLocation } from "react-router";

import type { Theme } from "#app/services/http/cookies.ts";
import { Icon } from "#app/ui/components/icon.tsx";

/** Dark, light or the device's setting. A form, so that it works without JavaScript; with JavaScript, nothing is sent. */
export function ThemeChoice({ theme, onChoose }: ThemeChoiceProps) {
  const { pathname } = useLocation();
  return (
    <form method="post" action="/theme">
      <input type="hidden" name="returnTo" value={pathname} />
      <div role="group" aria-label="Theme" className="grid grid-cols-3 gap-1 rounded-control bg-higher p-1">
        {themeChoices.map(({ value, label, icon }) => (
          <button
            key={value}
            name="theme"
            value={value}
            aria-pressed={value === theme}
            className={choiceClass}
            onClick={(event) => {
              event.preventDefault();
              onChoose(value);
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}

/** The button in a wide header that opens the choice; works without JavaScript. */
export function ThemeMenu({ theme, onChoose }: ThemeChoiceProps) {
  const chooseAndClose = (chosen: Theme) => {
    onChoose(chosen);
    document.getElementById(menuId)?.hidePopover?.();
  };
  return (
    <>
      <button type="button" popoverTarget={menuId} aria-label="Theme" title="Theme" className={menuButtonClass}>
        <Icon name="contrast" />
      </button>
      <div id={menuId} popover="auto" className="ui-dropdown">
        <ThemeChoice theme={theme} onChoose={chooseAndClose} />
      </div>
    </>
  );
}

/** Also named in theme-script.ts. */
const menuId = "theme-menu";

type ThemeChoiceProps = { theme: Theme; onChoose: (theme: Theme) => void };

const themeChoices = [
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "light", label: "Light", icon: "sun" },
  { value: "system", label: "System", icon: "contrast" },
] as const;

const choiceClass =
  "grid min-h-16 min-w-20 place-items-center content-center gap-1 rounded-[8px] border border-transparent text-sm text-muted " +
  "hover:text-text aria-pressed:border-line-strong aria-pressed:bg-picked aria-pressed:text-text";
const menuButtonClass = "grid size-11 place-items-center rounded-control text-muted hover:text-text";
