import { useDeferredValue, useId, useState } from "react";

import { avatarUrl } from "#app/features/avatar/avatar-url.ts";
import { drawnColor } from "#app/features/avatar/drawing.ts";
import { chosenLabel, colorLabels, colorName, numberLabels } from "#app/features/avatar/messages.ts";
import { palettes, maxPngSize, defaultPngSize } from "#app/features/avatar/rules.ts";
import type { AvatarOptions, NumberKind, PaletteKind, PartKind } from "#app/features/avatar/rules.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { StudioBackgroundPanel } from "./background-panel.tsx";
import { AvatarColorField } from "./color-field.tsx";
import { NumberField } from "./number-field.tsx";
import { PartField } from "./part-field.tsx";
import { isSeedTooLong } from "./studio-state.ts";
import type { Studio } from "./studio-state.ts";

/** The options in panels; only the open panel is rendered. */
export function StudioPanels({ studio }: { studio: Studio }) {
  const name = useId();
  const [open, setOpen] = useState<PanelName>("Face");
  // The small previews may lag behind the large one while a slider moves.
  const shown = useDeferredValue(studio.options);
  const Group = panels[open];
  return (
    <div className="grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]">
      <fieldset className="min-w-0 border-b border-line px-3.5 pb-2 sm:px-5 md:pt-5">
        <legend className="sr-only">What to change</legend>
        <div className="grid grid-cols-3 gap-1 p-0.5 sm:flex sm:flex-wrap">
          {panelNames.map((group) => (
            <label key={group} className={tabClass}>
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
      <div key={open} className="min-h-0 overflow-y-auto overscroll-contain px-5 py-4 sm:px-6.5">
        <div className="grid gap-6.5">
          <Group studio={studio} shown={shown} />
        </div>
      </div>
    </div>
  );
}

type StudioPanelProps = { studio: Studio; shown: AvatarOptions };

function FacePanel(props: StudioPanelProps) {
  return (
    <>
      <PaletteField {...props} kind="skinColor" />
      <StudioPartField {...props} kind="eyes" />
      <StudioPartField {...props} kind="mouth" />
      <StudioPartField {...props} kind="nose" />
      <BeardFields {...props} />
    </>
  );
}

function HairPanel(props: StudioPanelProps) {
  return (
    <>
      <StudioPartField {...props} kind="hair" />
      <PaletteField {...props} kind="hairColor" />
    </>
  );
}

function ClothesPanel(props: StudioPanelProps) {
  return (
    <>
      <StudioPartField {...props} kind="body" />
      <PaletteField {...props} kind="clothingColor" />
    </>
  );
}

function StudioPartField({ studio, shown, kind }: StudioPanelProps & { kind: PartKind }) {
  return (
    <PartField
      kind={kind}
      chosen={studio.options[kind]}
      shown={shown}
      onChoose={(names, announcement) => studio.change({ [kind]: names }, announcement)}
    />
  );
}

/** Choosing a beard sets its probability to 100 %; leaving the choice to the seed resets it. */
function BeardFields({ studio, shown }: StudioPanelProps) {
  const { facialHair, facialHairProbability } = studio.options;
  return (
    <div className="grid gap-3">
      <PartField
        kind="facialHair"
        chosen={facialHair}
        shown={{ ...shown, facialHairProbability: 100 }}
        onChoose={(names, announcement) =>
          studio.change({ facialHair: names, facialHairProbability: names.length === 1 ? 100 : 10 }, announcement)
        }
      />
      <NumberField
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

function PaletteField({ studio, shown, kind }: StudioPanelProps & { kind: PaletteKind }) {
  return (
    <AvatarColorField
      label={colorLabels[kind]}
      palette={palettes[kind]}
      chosen={studio.options[kind]}
      drawn={drawnColor(shown, kind)}
      onChoose={(colors) =>
        studio.change({ [kind]: colors }, `${colorLabels[kind]}: ${chosenLabel(colors, colorName)}`)
      }
    />
  );
}

const panels = {
  Face: FacePanel,
  Hair: HairPanel,
  Clothes: ClothesPanel,
  Background: StudioBackgroundPanel,
  Position: PositionPanel,
  Download: StudioDownloadPanel,
};
type PanelName = keyof typeof panels;
const panelNames: PanelName[] = ["Face", "Hair", "Clothes", "Background", "Position", "Download"];

const tabClass =
  "relative flex min-h-11 min-w-11 items-center justify-center rounded-[10px] border border-transparent px-1 sm:px-3.5 text-sm font-semibold text-muted hover:text-text " +
  "has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-text";

/** The position of the face in the image. */
export function PositionPanel({ studio: { options, change } }: { studio: Studio }) {
  return (
    <>
      <div className="grid gap-4">
        {sliders.map(({ kind, unit }) => (
          <NumberField
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
          label="Flip horizontally"
          checked={options.flip}
          onChange={({ currentTarget }) =>
            change({ flip: currentTarget.checked }, currentTarget.checked ? "Flipped" : "Not flipped")
          }
        />
        <Switch
          label="Crop at the edges"
          hint="Hides what extends beyond the image."
          checked={options.clip}
          onChange={({ currentTarget }) =>
            change({ clip: currentTarget.checked }, currentTarget.checked ? "Cropped at the edges" : "Not cropped")
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

/** Downloads the avatar as a file. */
function StudioDownloadPanel({ studio: { options, change } }: { studio: Studio }) {
  const [typed, setTyped] = useState(String(options.size ?? ""));
  const isWrong = typed !== "" && !isSize(typed);
  const type = (text: string) => {
    setTyped(text);
    if (text === "" || isSize(text)) change({ size: text === "" ? undefined : Number(text) }, "");
  };
  return (
    <>
      <Field
        label="Size in pixels"
        name="size"
        inputMode="numeric"
        value={typed}
        placeholder={String(defaultPngSize)}
        onChange={(event) => type(event.currentTarget.value.trim())}
        hint={`1 to ${maxPngSize}. If empty, a PNG is ${defaultPngSize} pixels wide and an SVG fits its container.`}
        {...(isWrong && { error: `Enter a whole number from 1 to ${maxPngSize}.` })}
        autoComplete="off"
      />
      <Switch
        label="Unique element IDs"
        hint="For web pages that embed several of these SVGs in their HTML."
        checked={options.randomizeIds}
        onChange={({ currentTarget }) => change({ randomizeIds: currentTarget.checked }, "")}
      />
      {isSeedTooLong(options.seed) || (
        <div className="grid grid-cols-2 gap-2.5 sm:flex">
          <ButtonLink size="s" href={avatarUrl(options, "svg")} download="avatar.svg">
            Download SVG
          </ButtonLink>
          <ButtonLink size="s" href={avatarUrl(options, "png")} download="avatar.png">
            Download PNG
          </ButtonLink>
        </div>
      )}
      <p className="text-sm text-muted">
        Artwork: Personas by Draftbit, CC BY 4.0. Give credit if you use it elsewhere. The SVG file already includes it.
      </p>
    </>
  );
}

function isSize(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPngSize;
}
