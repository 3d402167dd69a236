import { messages } from "#app/features/profile/messages.ts";
import { publicTheme } from "#app/features/profile/rules.ts";
import { themeChoices } from "#app/features/profile/themes.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** The six themes. On Free, those of Premium are disabled and say why. */
export function ThemeSection({ state, dispatch, allowed }: ThemeSectionProps) {
  const { draft, saved, errors } = state;
  const hasLockedThemes = themeChoices.some(({ id }) => !allowed.includes(id));
  const isHeldBack = publicTheme({ themes: allowed }, draft.theme) !== draft.theme;
  const error = errors["theme"];
  return (
    <Panel title="Profile Theme">
      <fieldset aria-describedby={hasLockedThemes ? "theme-plan" : undefined}>
        <legend className="sr-only">Theme</legend>
        <div className="grid grid-cols-3 gap-x-3 gap-y-4 sm:grid-cols-6">
          {themeChoices.map((theme) => (
            <ThemeOptionField
              key={theme.id}
              theme={theme}
              isChosen={draft.theme === theme.id}
              // The stored theme stays available after a downgrade, and the chosen one must be submitted.
              isDisabled={![...allowed, saved.theme, draft.theme].includes(theme.id)}
              onChoose={() => dispatch({ kind: "text", name: "theme", value: theme.id })}
            />
          ))}
        </div>
      </fieldset>
      {error && (
        <div className="mt-4">
          <FieldError id="theme">{error}</FieldError>
        </div>
      )}
      {hasLockedThemes && (
        <p id="theme-plan" className="mt-4 text-sm text-muted">
          {isHeldBack ? messages.themeKept : "Sunset, Forest and Royal come with Premium."}{" "}
          <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
            See plans
          </a>
        </p>
      )}
    </Panel>
  );
}

type ThemeSectionProps = {
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
  /** The themes of the owner's plan. */
  allowed: readonly string[];
};

type ThemeOption = (typeof themeChoices)[number];
type ThemeOptionFieldProps = { theme: ThemeOption; isChosen: boolean; isDisabled: boolean; onChoose: () => void };

function ThemeOptionField({ theme, isChosen, isDisabled, onChoose }: ThemeOptionFieldProps) {
  return (
    <label
      className="group relative grid cursor-pointer gap-2 text-center has-disabled:cursor-not-allowed"
      title={theme.description}
    >
      <input
        type="radio"
        name="theme"
        value={theme.id}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-[inherit] appearance-none opacity-0"
      />
      <span className={swatchClass}>
        <Swatch colors={theme.swatch} />
      </span>
      <span className="flex flex-wrap items-baseline justify-center gap-x-1 text-sm text-muted group-has-checked:text-text">
        {theme.name} {theme.isPremium && <span className="text-xs">Pro</span>}
      </span>
    </label>
  );
}

/** The background color with the accent color in a corner. */
function Swatch({ colors: [ground, accent] }: { colors: ThemeOption["swatch"] }) {
  return (
    <svg
      className="block h-16 w-full rounded-[10px] outline-1 -outline-offset-1 outline-line-strong"
      viewBox="0 0 80 64"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect width="80" height="64" fill={ground} />
      <path d="M0 55 80 27V64H0z" fill={accent} />
    </svg>
  );
}

const swatchClass =
  "rounded-[14px] border-2 border-transparent p-[3px] transition-[border-color] motion-reduce:transition-none " +
  "group-hover:group-has-enabled:border-line-strong group-has-checked:border-text! group-has-disabled:opacity-60 " +
  "group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 group-has-focus-visible:outline-text " +
  "forced-colors:group-has-checked:border-[Highlight]!";
