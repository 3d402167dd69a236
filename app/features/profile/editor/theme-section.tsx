import { messages } from "#app/features/profile/messages.ts";
import { themeChoices } from "#app/features/profile/themes.ts";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** The six themes. Each can be chosen, which shows it in the preview; on Free, a save keeps the stored one instead of those of Premium. */
export function ThemeSection({ state, dispatch, allowed }: ThemeSectionProps) {
  const { draft, saved, errors } = state;
  const error = errors["theme"];
  return (
    <Panel id="themes" title="Profile Theme" className="scroll-mt-20">
      {/* Focusable while it has an error, so that a refused save leads here. */}
      <fieldset
        role="radiogroup"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "theme-error" : "theme-plan"}
        tabIndex={error ? -1 : undefined}
        className="outline-none"
      >
        <legend className="sr-only">Theme</legend>
        {error && (
          <div className="mb-4">
            <FieldError id="theme">{error}</FieldError>
          </div>
        )}
        <div className="grid grid-cols-3 gap-2.5">
          {themeChoices.map((theme) => (
            <ThemeOptionField
              key={theme.id}
              theme={theme}
              isChosen={draft.theme === theme.id}
              isLocked={!allowed.includes(theme.id)}
              onChoose={() => dispatch({ kind: "text", name: "theme", value: theme.id })}
            />
          ))}
        </div>
      </fieldset>
      {!error && <PlanNote chosen={draft.theme} saved={saved.theme} allowed={allowed} />}
    </Panel>
  );
}

type ThemeSectionProps = {
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
  /** The themes of the owner's plan. */
  allowed: readonly string[];
};

/** What the plan means for the chosen theme. Announced, because a choice changes it. */
function PlanNote({ chosen, saved, allowed }: { chosen: string; saved: string; allowed: readonly string[] }) {
  const isPremiumSold = usePremiumAccess() === "sold";
  const locked = themeChoices.filter(({ id }) => !allowed.includes(id));
  if (locked.length === 0) return null;
  const name = locked.find(({ id }) => id === chosen)?.name;
  const text = name ? (chosen === saved ? messages.themeKept(name) : messages.themeTried(name)) : messages.themesLocked;
  return (
    <p id="theme-plan" role="status" className="mt-4 text-sm text-muted">
      {text}{" "}
      {isPremiumSold && (
        <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
          See plans
        </a>
      )}
    </p>
  );
}

type ThemeOption = (typeof themeChoices)[number];
type ThemeOptionFieldProps = { theme: ThemeOption; isChosen: boolean; isLocked: boolean; onChoose: () => void };

function ThemeOptionField({ theme, isChosen, isLocked, onChoose }: ThemeOptionFieldProps) {
  return (
    <label className={optionClass}>
      <input
        type="radio"
        name="theme"
        value={theme.id}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`theme-${theme.id}-name`}
        aria-describedby={`theme-${theme.id}-text`}
        className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
      />
      <Swatch colors={theme.swatch} />
      <span className="min-w-0">
        <span id={`theme-${theme.id}-name`} className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
          {theme.name} {isLocked && <span className={badgeClass}>Premium</span>}
        </span>
        <span id={`theme-${theme.id}-text`} className="text-sm text-muted max-sm:sr-only">
          {theme.description}
        </span>
      </span>
    </label>
  );
}

/** The background color with the accent color in a corner. */
function Swatch({ colors: [ground, accent] }: { colors: ThemeOption["swatch"] }) {
  return (
    <svg
      className="block h-14 w-full shrink-0 rounded-[10px] ring-1 ring-line-strong"
      viewBox="0 0 80 64"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect width="80" height="64" fill={ground} />
      <path d="M0 55 80 27V64H0z" fill={accent} />
    </svg>
  );
}

const optionClass =
  "relative flex min-w-0 cursor-pointer flex-col gap-2 rounded-[14px] border border-line p-2 transition-[border-color] " +
  "hover:border-line-strong has-checked:border-text has-checked:inset-ring has-checked:inset-ring-text motion-reduce:transition-none " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-text " +
  "forced-colors:has-checked:border-[Highlight]!";
const badgeClass = "rounded-full bg-higher px-2 text-xs leading-5 font-normal text-muted";
