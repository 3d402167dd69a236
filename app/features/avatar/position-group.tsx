import { Switch } from "#app/ui/switch.tsx";

import { NumberSlider } from "./number-slider.tsx";
import type { NumberKind } from "./rules.ts";
import type { Studio } from "./studio-state.ts";
import { numberLabels } from "./studio-words.ts";

/** Where the face is in its picture. */
export function PositionGroup({ studio: { options, change } }: { studio: Studio }) {
  return (
    <>
      <div className="grid gap-4">
        {sliders.map(({ kind, unit }) => (
          <NumberSlider
            key={kind}
            label={numberLabels[kind]}
            kind={kind}
            unit={unit}
            value={options[kind]}
            onChange={(value) => change({ [kind]: value }, `${numberLabels[kind]}: ${value}${unit}`)}
          />
        ))}
      </div>
      <div className="grid gap-2">
        <Switch
          label="Mirrored"
          checked={options.flip}
          onChange={({ currentTarget }) =>
            change({ flip: currentTarget.checked }, currentTarget.checked ? "Mirrored" : "Not mirrored")
          }
        />
        <Switch
          label="Cut at the edge"
          hint="What reaches over the edge of the picture is not drawn."
          checked={options.clip}
          onChange={({ currentTarget }) =>
            change({ clip: currentTarget.checked }, currentTarget.checked ? "Cut at the edge" : "Not cut at the edge")
          }
        />
      </div>
    </>
  );
}

const sliders: { kind: Exclude<NumberKind, "facialHairProbability">; unit: string }[] = [
  { kind: "scale", unit: "%" },
  { kind: "translateX", unit: "%" },
  { kind: "translateY", unit: "%" },
  { kind: "rotate", unit: "°" },
  { kind: "radius", unit: "%" },
];
