import { useDeferredValue, useId, useState } from "react";

import { BackgroundGroup } from "./background-group.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { DownloadGroup } from "./download-group.tsx";
import { NumberSlider } from "./number-slider.tsx";
import { PartChoice } from "./part-choice.tsx";
import { PositionGroup } from "./position-group.tsx";
import { palettes } from "./rules.ts";
import type { AvatarOptions, PaletteKind, PartKind } from "./rules.ts";
import type { Studio } from "./studio-state.ts";
import { chosenIn, colorLabels, colorName, numberLabels } from "./studio-words.ts";

/** All options, a group at a time: only what is seen is drawn. */
export function StudioGroups({ studio }: { studio: Studio }) {
  const name = useId();
  const [open, setOpen] = useState<GroupName>("Face");
  // The small faces may come a moment later than the large one, while a slider is pulled.
  const shown = useDeferredValue(studio.options);
  const Group = groups[open];
  return (
    <div className="grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]">
      <fieldset className="min-w-0 border-b border-line px-3.5 pb-2 sm:px-5 md:pt-5">
        <legend className="sr-only">What to change</legend>
        <div className="flex flex-wrap gap-1 p-0.5">
          {groupNames.map((group) => (
            <label key={group} className={tab}>
              <input
                type="radio"
                name={name}
                className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
                checked={group === open}
                onChange={() => setOpen(group)}
              />
              {group}
            </label>
          ))}
        </div>
      </fieldset>
      <div key={open} className="min-h-0 overflow-y-auto overscroll-contain px-5 py-5 sm:px-6.5">
        <div className="grid gap-6.5">
          <Group studio={studio} shown={shown} />
        </div>
      </div>
    </div>
  );
}

type GroupProps = { studio: Studio; shown: AvatarOptions };

function FaceGroup(props: GroupProps) {
  return (
    <>
      <PaletteColors {...props} kind="skinColor" />
      <Part {...props} kind="eyes" />
      <Part {...props} kind="mouth" />
      <Part {...props} kind="nose" />
      <Beard {...props} />
    </>
  );
}

function HairGroup(props: GroupProps) {
  return (
    <>
      <Part {...props} kind="hair" />
      <PaletteColors {...props} kind="hairColor" />
    </>
  );
}

function ClothesGroup(props: GroupProps) {
  return (
    <>
      <Part {...props} kind="body" />
      <PaletteColors {...props} kind="clothingColor" />
    </>
  );
}

function Part({ studio, shown, kind }: GroupProps & { kind: PartKind }) {
  return (
    <PartChoice
      kind={kind}
      chosen={studio.options[kind]}
      shown={shown}
      onChoose={(names, said) => studio.change({ [kind]: names }, said)}
    />
  );
}

/** A beard that was chosen is meant to be seen; without one chosen, it comes as often as the chance says. */
function Beard({ studio, shown }: GroupProps) {
  const { facialHair, facialHairProbability } = studio.options;
  return (
    <div className="grid gap-3">
      <PartChoice
        kind="facialHair"
        chosen={facialHair}
        shown={{ ...shown, facialHairProbability: 100 }}
        onChoose={(names, said) =>
          studio.change({ facialHair: names, facialHairProbability: names.length === 1 ? 100 : 10 }, said)
        }
      />
      <NumberSlider
        label={numberLabels.facialHairProbability}
        kind="facialHairProbability"
        unit="%"
        value={facialHairProbability}
        onChange={(facialHairProbability) =>
          studio.change({ facialHairProbability }, `${numberLabels.facialHairProbability}: ${facialHairProbability}%`)
        }
      />
    </div>
  );
}

function PaletteColors({ studio, kind }: GroupProps & { kind: PaletteKind }) {
  return (
    <ColorChoice
      label={colorLabels[kind]}
      palette={palettes[kind]}
      chosen={studio.options[kind]}
      onChoose={(colors) => studio.change({ [kind]: colors }, `${colorLabels[kind]}: ${chosenIn(colors, colorName)}`)}
    />
  );
}

const groups = {
  Face: FaceGroup,
  Hair: HairGroup,
  Clothes: ClothesGroup,
  Background: BackgroundGroup,
  Position: PositionGroup,
  Download: DownloadGroup,
};
type GroupName = keyof typeof groups;
const groupNames: GroupName[] = ["Face", "Hair", "Clothes", "Background", "Position", "Download"];

const tab =
  "relative flex min-h-11 min-w-11 items-center justify-center rounded-[10px] border border-transparent px-2 sm:px-3.5 text-sm font-semibold text-muted hover:text-text " +
  "has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-text";
