import { useId } from "react";

import { drawAvatar, svgDataUrl } from "#app/features/avatar/drawing.ts";
import { friendlyMouths, partNames } from "#app/features/avatar/rules.ts";
import type { AvatarOptions, PartKind } from "#app/features/avatar/rules.ts";
import { chosenLabel, partLabel, partLabels, randomLabel } from "#app/features/avatar/messages.ts";
import { ChoiceHeader } from "./choice-header.tsx";

/** Choices for one part of the avatar, previewed on the current avatar. */
export function PartField({ kind, chosen, shown, onChoose }: PartFieldProps) {
  const name = useId();
  const label = partLabels[kind];
  const isRandom = chosen.length > 1;
  const random = kind === "mouth" ? friendlyMouths : partNames[kind];
  return (
    <fieldset className="min-w-0">
      <ChoiceHeader
        label={label}
        chosen={isRandom ? "" : chosenLabel(chosen, partLabel)}
        random={{ name, isChosen: isRandom, onChoose: () => onChoose([...random], `${label}: ${randomLabel}`) }}
      />
      <div className="grid grid-cols-4 gap-2 sm:grid-cols-8">
        {partNames[kind].map((part) => (
          <label key={part} className={chipClass} title={partLabel(part)}>
            <input
              type="radio"
              name={name}
              className="absolute inset-0 size-full appearance-none opacity-0"
              aria-label={partLabel(part)}
              checked={chosen.length === 1 && chosen[0] === part}
              onChange={() => onChoose([part], `${label}: ${partLabel(part)}`)}
            />
            <PartPreview {...{ kind, shown, part }} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type PartFieldProps = {
  kind: PartKind;
  chosen: string[];
  /** The avatar on which the parts are previewed. */
  shown: AvatarOptions;
  onChoose: (names: string[], announcement: string) => void;
};

function PartPreview({ kind, shown, part }: { kind: PartKind; shown: AvatarOptions; part: string }) {
  const upright = { flip: false, rotate: 0, scale: 100, translateX: 0, translateY: 0, radius: 0, size: undefined };
  const drawn = drawAvatar({ ...shown, ...upright, randomizeIds: false, backgroundColor: [], [kind]: [part] });
  return <img src={svgDataUrl(drawn)} alt="" className={`size-full ${zoomClass[kind]}`} draggable={false} />;
}

/** Enlarges small parts. */
const zoomClass: Record<PartKind, string> = {
  body: "origin-[50%_88%] scale-150",
  eyes: "origin-[50%_44%] scale-[2.2]",
  facialHair: "origin-[50%_62%] scale-[1.7]",
  hair: "origin-[50%_50%] scale-110",
  mouth: "origin-[50%_66%] scale-[2.6]",
  nose: "origin-[50%_52%] scale-[2.8]",
};

// The paper color in both themes: the drawings are made for light backgrounds.
const chipClass =
  "relative grid aspect-square place-items-center overflow-hidden rounded-control bg-[#e9e3d5] text-ink ring-1 ring-inset ring-[#17181b1f] " +
  "hover:ring-[#17181b66] has-checked:outline-3 has-checked:outline-offset-2 has-checked:outline-text " +
  "has-focus-visible:ring-3 has-focus-visible:ring-[#17181b] forced-colors:has-checked:outline-[Highlight]";
