import { FieldError } from "#app/ui/field-frame.tsx";
import { Panel } from "#app/ui/panel.tsx";

import type { Edit, Editing } from "./editing.ts";
import { messages } from "./messages.ts";
import { shownTheme } from "./rules.ts";
import { themeChoices } from "./theme-choices.ts";

/** The six looks. Those of Premium are shown to everybody, and say what they need. */
export function ThemeSection({ editing, dispatch, allowed }: ThemeSectionProps) {
  const { draft, saved, problems } = editing;
  const isFree = themeChoices.some(({ id }) => !allowed.includes(id));
  const isKept = shownTheme({ themes: allowed }, draft.theme) !== draft.theme;
  const problem = problems["theme"];
  return (
    <Panel title="Profile Theme">
      <fieldset aria-describedby={isFree ? "theme-plan" : undefined}>
        <legend className="sr-only">Theme</legend>
        <div className="grid grid-cols-3 gap-x-3 gap-y-4 sm:grid-cols-6">
          {themeChoices.map((theme) => (
            <ThemeChoice
              key={theme.id}
              theme={theme}
              isChosen={draft.theme === theme.id}
              // What is stored may stay: a plan that ended takes no choice away. And what is chosen is always sent.
              isDisabled={![...allowed, saved.theme, draft.theme].includes(theme.id)}
              onChoose={() => dispatch({ kind: "text", name: "theme", value: theme.id })}
            />
          ))}
        </div>
      </fieldset>
      {problem && (
        <div className="mt-4">
          <FieldError id="theme">{problem}</FieldError>
        </div>
      )}
      {isFree && (
        <p id="theme-plan" className="mt-4 text-sm text-muted">
          {isKept ? messages.themeKept : "Sunset, Forest and Royal come with Premium."}{" "}
          <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
            See plans
          </a>
        </p>
      )}
    </Panel>
  );
}

type ThemeSectionProps = {
  editing: Editing;
  dispatch: (edit: Edit) => void;
  /** The themes that the owner's plan has. */
  allowed: readonly string[];
};

type Theme = (typeof themeChoices)[number];
type ThemeChoiceProps = { theme: Theme; isChosen: boolean; isDisabled: boolean; onChoose: () => void };

function ThemeChoice({ theme, isChosen, isDisabled, onChoose }: ThemeChoiceProps) {
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
      <span className={swatchFrame}>
        <Swatch colors={theme.swatch} />
      </span>
      <span className="flex flex-wrap items-baseline justify-center gap-x-1 text-sm text-muted group-has-checked:text-text">
        {theme.name} {theme.isPremium && <span className="text-xs">Pro</span>}
      </span>
    </label>
  );
}

/** Ground with the accent rising over its lower edge. */
function Swatch({ colors: [ground, accent] }: { colors: Theme["swatch"] }) {
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

const swatchFrame =
  "rounded-[14px] border-2 border-transparent p-[3px] transition-[border-color] motion-reduce:transition-none " +
  "group-hover:group-has-enabled:border-line-strong group-has-checked:border-text! group-has-disabled:opacity-60 " +
  "group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 group-has-focus-visible:outline-text " +
  "forced-colors:group-has-checked:border-[Highlight]!";
