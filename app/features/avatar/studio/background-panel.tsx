import { useId } from "react";

import { AvatarColorField } from "./color-field.tsx";
import { NumberField } from "./number-field.tsx";
import { drawnColor } from "#app/features/avatar/drawing.ts";
import { backgrounds, backgroundTypes } from "#app/features/avatar/rules.ts";
import type { AvatarOptions, BackgroundType } from "#app/features/avatar/rules.ts";
import type { Studio } from "./studio-state.ts";
import { randomLabel, chosenLabel, colorName } from "#app/features/avatar/messages.ts";

/** The background: one color, or a gradient of two. */
export function StudioBackgroundPanel({ studio, shown }: { studio: Studio; shown: AvatarOptions }) {
  const { options, change } = studio;
  const { backgroundColor } = options;
  const canBlend = options.backgroundType.includes("gradientLinear");
  const [first = "transparent", second] = backgroundColor;
  const isSeeded = backgroundColor.length > 2;
  const choose = (colors: string[]) =>
    change({ backgroundColor: colors }, `Background: ${chosenLabel(colors, colorName)}`);
  return (
    <>
      <TypeField options={options} change={change} />
      <AvatarColorField
        label={canBlend && !isSeeded ? "First color" : "Color"}
        palette={backgrounds}
        chosen={isSeeded ? backgroundColor : [first]}
        drawn={drawnColor(shown, "primaryBackgroundColor")}
        onChoose={(colors) =>
          choose(canBlend && colors.length === 1 ? [...colors, second ?? secondColorFor(colors)] : colors)
        }
      />
      {canBlend && !isSeeded && (
        <AvatarColorField
          label="Second color"
          palette={backgrounds}
          chosen={[second ?? first]}
          drawn={drawnColor(shown, "secondaryBackgroundColor")}
          canBeSeeded={false}
          onChoose={(colors) => choose([first, ...colors])}
        />
      )}
      {canBlend && <AngleFields options={options} change={change} />}
      <p className="text-sm text-muted">
        Transparent areas stay transparent in downloads. In your saved avatar, they become off-white.
      </p>
    </>
  );
}

type PanelProps = Pick<Studio, "options" | "change">;

function TypeField({ options, change }: PanelProps) {
  const name = useId();
  const { backgroundType, backgroundColor } = options;
  const choose = (types: BackgroundType[], announcement: string) => {
    const [first = "transparent", second] = backgroundColor;
    const isSeeded = backgroundColor.length > 2;
    // With two colors and no gradient the seed would choose one of them.
    const colors = types.includes("gradientLinear") ? [first, second ?? secondColorFor([first])] : [first];
    change({ backgroundType: types, ...(!isSeeded && { backgroundColor: colors }) }, `Background: ${announcement}`);
  };
  const chosen = backgroundType.length > 1 ? randomLabel : typeLabels[backgroundType[0] ?? "solid"];
  const choices: [string, BackgroundType[]][] = [
    [randomLabel, [...backgroundTypes]],
    ...backgroundTypes.map((type): [string, BackgroundType[]] => [typeLabels[type], [type]]),
  ];
  return (
    <fieldset>
      <legend className="mb-2.5 text-sm font-medium">Type</legend>
      <div className="grid grid-cols-3 gap-1 rounded-[14px] bg-higher p-1">
        {choices.map(([label, types]) => (
          <label key={label} className={choiceClass}>
            <input
              type="radio"
              name={name}
              className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
              checked={label === chosen}
              onChange={() => choose(types, label)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The seed chooses the angle of the gradient between two bounds; two equal bounds fix it. */
function AngleFields({ options, change }: PanelProps) {
  const from = Math.min(...options.backgroundRotation);
  const to = Math.max(...options.backgroundRotation);
  const set = (angles: number[]) => change({ backgroundRotation: angles }, `Angle: ${angles.join(" to ")} degrees`);
  return (
    <div className="grid gap-3">
      <NumberField
        label="Angle from"
        kind="backgroundRotation"
        unit="°"
        value={from}
        onChange={(angle) => set([angle, Math.max(angle, to)])}
      />
      <NumberField
        label="Angle to"
        kind="backgroundRotation"
        unit="°"
        value={to}
        onChange={(angle) => set([Math.min(angle, from), angle])}
      />
    </div>
  );
}

/** A second color for a gradient, different from the first. */
function secondColorFor([color]: string[]): string {
  return color === backgrounds[3] ? backgrounds[0] : backgrounds[3];
}

const typeLabels: Record<BackgroundType, string> = { solid: "Solid", gradientLinear: "Gradient" };

const choiceClass =
  "relative flex min-h-11 items-center justify-center rounded-[10px] border border-transparent px-2 text-center text-sm font-semibold text-muted " +
  "hover:text-text has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
