import type { ReactNode } from "react";

import type { Plan } from "#app/features/billing/rules.ts";
import { defaultOwnColor } from "#app/features/cards/card-design-form.ts";
import { accentChoices, includesAccent, layoutChoices, paperChoices } from "#app/features/cards/card-design.ts";
import type { CardLayout } from "#app/features/cards/card-design.ts";
import { messages } from "#app/features/cards/messages.ts";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import { fieldError } from "./form-state.ts";
import type { CardFormState } from "./form-state.ts";

/** What the owner's plan includes, and whether the rest can be bought. */
export type DesignOffer = Pick<Plan, "accents" | "hasOwnAccents" | "maxLinks" | "themes"> & { isPremiumSold: boolean };

/** The accent color, the layout and the paper of a card. Radio buttons, so that it works without script. */
export function DesignSection({ state, offer, stored }: DesignSectionProps) {
  const { values } = state;
  return (
    <Panel title="Card design">
      <div className="grid gap-6.5">
        <AccentField state={state} offer={offer} stored={stored} />
        <Choices label="Layout" className="grid grid-cols-3 gap-3">
          {layoutChoices.map(({ id, name, hint }) => (
            <label key={id} className={`${choiceClass} gap-2`} title={hint}>
              <Radio name="layout" value={id} chosen={values.layout} />
              <span className={tileClass}>
                <LayoutDrawing layout={id} />
              </span>
              <span className={nameClass}>{name}</span>
            </label>
          ))}
        </Choices>
        <ChoiceField
          label="Paper"
          name="paper"
          options={paperChoices.map(({ id, name }) => ({ id, label: name }))}
          value={values.paper}
        />
      </div>
    </Panel>
  );
}

type DesignSectionProps = {
  state: CardFormState;
  offer: DesignOffer;
  /** The stored accent, as the form holds it: it can always be chosen. */
  stored: string;
};

function AccentField({ state, offer, stored }: DesignSectionProps) {
  const { values } = state;
  const isIncluded = (accent: string) => includesAccent(offer, accent);
  // Accents that can't be chosen or bought aren't shown.
  const isShown = (accent: string) => isIncluded(accent) || offer.isPremiumSold || accent === stored;
  const isOwnShown = isShown("own") || offer.hasOwnAccents;
  const error = fieldError(state, "accent");
  const isLocked = !(values.accent === "own" ? offer.hasOwnAccents : isIncluded(values.accent));
  const isHeldBack = isLocked && stored === values.accent;
  const isTried = isLocked && !isHeldBack;
  return (
    <Choices
      label="Accent color"
      className="grid grid-cols-4 gap-x-1 gap-y-3 sm:grid-cols-5 sm:gap-x-2"
      errorId={error ? "accent-error" : undefined}
      below={
        <>
          {isOwnShown ? <OwnColorField color={values.accent_color} /> : <KeptColor color={values.accent_color} />}
          {isTried && <p className="mt-3 text-sm text-muted">{messages.accentTried}</p>}
          {isHeldBack && <p className="mt-3 text-sm text-muted">{messages.accentKept}</p>}
          {error && (
            <div className="mt-3">
              <FieldError id="accent">{error}</FieldError>
            </div>
          )}
        </>
      }
    >
      <AccentChoice accent="" name="Theme" chosen={values.accent}>
        <circle cx="18" cy="18" r="17" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 3" />
      </AccentChoice>
      {accentChoices
        .filter(({ id }) => isShown(id))
        .map(({ id, name, light, dark }) => (
          <AccentChoice key={id} accent={id} name={name} chosen={values.accent} isPremium={!isIncluded(id)}>
            <circle cx="18" cy="18" r="18" fill={light} />
            <path d="M5.3 30.7A18 18 0 0 0 30.7 5.3z" fill={dark} />
          </AccentChoice>
        ))}
      {isOwnShown && (
        <AccentChoice accent="own" name="Custom" chosen={values.accent} isPremium={!offer.hasOwnAccents}>
          <circle cx="18" cy="18" r="17" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <path d="M18 11v14M11 18h14" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />
        </AccentChoice>
      )}
    </Choices>
  );
}

/** Shown while "Custom" is chosen, without script too. */
function OwnColorField({ color }: { color: string }) {
  return (
    <div className="mt-4 hidden items-center gap-3 group-has-[[value=own]:checked]/choices:flex">
      <input
        type="color"
        name="accent_color"
        aria-label="Custom color"
        aria-describedby="own-color-hint"
        autoComplete="off"
        defaultValue={color || defaultOwnColor}
        className="size-11 shrink-0 cursor-pointer rounded-control border border-line-strong bg-ground p-1"
      />
      <p id="own-color-hint" className="text-sm text-muted">
        {messages.ownColorHint}
      </p>
    </div>
  );
}

function KeptColor({ color }: { color: string }) {
  return <input type="hidden" name="accent_color" value={color} autoComplete="off" />;
}

function AccentChoice({ accent, name, chosen, isPremium = false, children }: AccentChoiceProps) {
  return (
    <label className={`${choiceClass} gap-1.5`}>
      <Radio name="accent" value={accent} chosen={chosen} />
      <span className={swatchClass}>
        <svg width="36" height="36" viewBox="0 0 36 36" aria-hidden="true" className="forced-color-adjust-none">
          {children}
        </svg>
      </span>
      <span className={nameClass}>
        {name} {isPremium && <span className="text-xs">Pro</span>}
      </span>
    </label>
  );
}

type AccentChoiceProps = {
  accent: string;
  name: string;
  chosen: string;
  isPremium?: boolean;
  children: ReactNode;
};

/** A group of radio buttons. */
function Choices({ label, className, errorId, below, children }: ChoicesProps) {
  return (
    // Focusable while it has an error, so that a refused save leads here.
    <fieldset
      role="radiogroup"
      aria-invalid={errorId ? true : undefined}
      aria-describedby={errorId}
      tabIndex={errorId ? -1 : undefined}
      className="group/choices min-w-0 outline-none"
    >
      <legend className="mb-3 text-sm font-medium">{label}</legend>
      <div className={className}>{children}</div>
      {below}
    </fieldset>
  );
}

type ChoicesProps = {
  label: string;
  className: string;
  errorId?: string | undefined;
  below?: ReactNode;
  children: ReactNode;
};

function Radio({ name, value, chosen }: { name: string; value: string; chosen: string }) {
  return (
    <input
      type="radio"
      name={name}
      value={value}
      defaultChecked={value === chosen}
      autoComplete="off"
      className="absolute inset-0 size-full cursor-pointer appearance-none rounded-[10px] opacity-0"
    />
  );
}

/** A card of 64 by 40 with bars for text and a shape for the photo. */
function LayoutDrawing({ layout }: { layout: CardLayout }) {
  return (
    <svg viewBox="0 0 64 40" className="block w-full max-w-24" aria-hidden="true" fill="currentColor">
      <rect x=".5" y=".5" width="63" height="39" rx="4" fill="none" stroke="currentColor" opacity=".5" />
      {layoutDrawings[layout]}
    </svg>
  );
}

const layoutDrawings: Record<CardLayout, ReactNode> = {
  classic: (
    <>
      <circle cx="53" cy="11" r="5" opacity=".5" />
      <path d="M6 18h26v4H6zM6 25h18v2H6zM6 32h34v1.5H6z" />
    </>
  ),
  centered: (
    <>
      <circle cx="32" cy="11" r="6" opacity=".5" />
      <path d="M19 21h26v4H19zM23 28h18v2H23zM17 33h30v1.5H17z" />
    </>
  ),
  cover: (
    <>
      <path d="M40 .5h20a3.5 3.5 0 0 1 3.5 3.5v32a3.5 3.5 0 0 1-3.5 3.5H40z" opacity=".5" />
      <path d="M6 16h26v4H6zM6 23h18v2H6zM6 31h24v1.5H6z" />
    </>
  ),
};

const choiceClass = "group relative grid cursor-pointer content-start justify-items-center text-center";
const nameClass = "text-sm text-muted group-hover:text-text group-has-checked:text-text";
// Only the chosen one has a border, at once: one on hover looked like a choice.
const ringClass =
  "border-2 border-transparent group-has-checked:border-text group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 " +
  "group-has-focus-visible:outline-text forced-colors:group-has-checked:border-[Highlight]!";
const swatchClass = `rounded-full p-[3px] ${ringClass}`;
const tileClass = `grid w-full place-items-center rounded-[14px] bg-higher px-2 py-3 ${ringClass}`;
