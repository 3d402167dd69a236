import { useId } from "react";

import { Icon } from "#app/ui/components/icon.tsx";

import { drawAvatar, svgDataUrl } from "#app/features/avatar/drawing.ts";
import { partNames } from "#app/features/avatar/rules.ts";
import type { AvatarOptions, PartKind } from "#app/features/avatar/rules.ts";
import { bySeedLabel, chosenLabel, partLabel, partLabels } from "#app/features/avatar/messages.ts";

/** Choices for one part of the face, previewed on the current avatar. */
export function PartField({ kind, chosen, shown, onChoose }: PartFieldProps) {
  const name = useId();
  const label = partLabels[kind];
  const usual = partNames[kind];
  const choices = [
    { list: [...usual], label: bySeedLabel, isChosen: chosen.length > 1 },
    ...usual.map((part) => ({
      list: [part],
      label: partLabel(part),
      isChosen: chosen.length === 1 && chosen[0] === part,
    })),
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2.5 text-sm font-medium">
        {label} <span className="ms-1 font-normal text-muted">{chosenLabel(chosen, partLabel)}</span>
      </legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))]">
        {choices.map(({ list, label: choice, isChosen }) => (
          <label key={choice} className={chipClass} title={choice}>
            <input
              type="radio"
              name={name}
              className="absolute inset-0 size-full appearance-none opacity-0"
              aria-label={choice}
              checked={isChosen}
              onChange={() => onChoose(list, `${label}: ${choice}`)}
            />
            {list.length > 1 ? (
              <Icon name="shuffle" size={22} />
            ) : (
              <PartPreview {...{ kind, shown }} part={list[0] ?? ""} />
            )}
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
  onChoose: (names: string[], said: string) => void;
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
