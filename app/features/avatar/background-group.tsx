import { useId } from "react";

import { ColorChoice } from "./color-choice.tsx";
import { NumberSlider } from "./number-slider.tsx";
import { backgrounds, backgroundTypes } from "./rules.ts";
import type { BackgroundType } from "./rules.ts";
import type { Studio } from "./studio-state.ts";
import { bySeed, chosenIn, colorName } from "./studio-words.ts";

/** What is behind the face: one colour, or two that run into each other. */
export function BackgroundGroup({ studio }: { studio: Studio }) {
  const { options, change } = studio;
  const { backgroundColor } = options;
  const canBlend = options.backgroundType.includes("gradientLinear");
  const [first = "transparent", second] = backgroundColor;
  const isSeeded = backgroundColor.length > 2;
  const choose = (colors: string[]) =>
    change({ backgroundColor: colors }, `Background: ${chosenIn(colors, colorName)}`);
  return (
    <>
      <TypeChoice options={options} change={change} />
      <ColorChoice
        label={canBlend && !isSeeded ? "First colour" : "Colour"}
        palette={backgrounds}
        chosen={isSeeded ? backgroundColor : [first]}
        onChoose={(colors) => choose(canBlend && colors.length === 1 ? [...colors, second ?? paperOf(colors)] : colors)}
      />
      {canBlend && !isSeeded && (
        <ColorChoice
          label="Second colour"
          palette={backgrounds}
          chosen={[second ?? first]}
          canBeSeeded={false}
          onChoose={(colors) => choose([first, ...colors])}
        />
      )}
      {canBlend && <Angles options={options} change={change} />}
      <p className="text-sm text-muted">
        Saved as your avatar, what is transparent becomes paper. Downloaded, it stays transparent.
      </p>
    </>
  );
}

type Part = Pick<Studio, "options" | "change">;

function TypeChoice({ options, change }: Part) {
  const name = useId();
  const { backgroundType, backgroundColor } = options;
  const choose = (types: BackgroundType[], said: string) => {
    const [first = "transparent", second] = backgroundColor;
    const isSeeded = backgroundColor.length > 2;
    // With two colours and no gradient the seed would choose one of them.
    const colors = types.includes("gradientLinear") ? [first, second ?? paperOf([first])] : [first];
    change({ backgroundType: types, ...(!isSeeded && { backgroundColor: colors }) }, `Background: ${said}`);
  };
  const chosen = backgroundType.length > 1 ? bySeed : labels[backgroundType[0] ?? "solid"];
  const choices: [string, BackgroundType[]][] = [
    [bySeed, [...backgroundTypes]],
    ...backgroundTypes.map((type): [string, BackgroundType[]] => [labels[type], [type]]),
  ];
  return (
    <fieldset>
      <legend className="mb-2.5 text-sm font-medium">Kind</legend>
      <div className="grid grid-cols-3 gap-1 rounded-[14px] bg-higher p-1">
        {choices.map(([label, types]) => (
          <label key={label} className={choiceLook}>
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

/** The seed turns the gradient to anywhere between two angles; the same twice is that one. */
function Angles({ options, change }: Part) {
  const from = Math.min(...options.backgroundRotation);
  const to = Math.max(...options.backgroundRotation);
  const set = (angles: number[]) => change({ backgroundRotation: angles }, `Angle: ${angles.join(" to ")} degrees`);
  return (
    <div className="grid gap-3">
      <NumberSlider
        label="Angle, from"
        kind="backgroundRotation"
        unit="°"
        value={from}
        onChange={(angle) => set([angle, Math.max(angle, to)])}
      />
      <NumberSlider
        label="Angle, to"
        kind="backgroundRotation"
        unit="°"
        value={to}
        onChange={(angle) => set([Math.min(angle, from), angle])}
      />
    </div>
  );
}

/** Another colour than this one, to run into. */
function paperOf([color]: string[]): string {
  return color === backgrounds[3] ? backgrounds[0] : backgrounds[3];
}

const labels: Record<BackgroundType, string> = { solid: "Solid", gradientLinear: "Gradient" };

const choiceLook =
  "relative flex min-h-11 items-center justify-center rounded-[10px] border border-transparent px-2 text-center text-sm font-semibold text-muted " +
  "hover:text-text has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
