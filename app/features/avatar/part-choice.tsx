import { useId } from "react";

import { Icon } from "#app/ui/icon.tsx";

import { drawAvatar, pictureAddress } from "./drawing.ts";
import { partNames } from "./rules.ts";
import type { AvatarOptions, PartKind } from "./rules.ts";
import { bySeed, chosenIn, labelOf, partLabels } from "./studio-words.ts";

/** One part of the face, shown on the very face that is being drawn. */
export function PartChoice({ kind, chosen, shown, onChoose }: PartChoiceProps) {
  const name = useId();
  const label = partLabels[kind];
  const usual = partNames[kind];
  const choices = [
    { list: [...usual], label: bySeed, isChosen: chosen.length > 1 },
    ...usual.map((part) => ({
      list: [part],
      label: labelOf(part),
      isChosen: chosen.length === 1 && chosen[0] === part,
    })),
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2.5 text-sm font-medium">
        {label} <span className="ms-1 font-normal text-muted">{chosenIn(chosen, labelOf)}</span>
      </legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))]">
        {choices.map(({ list, label: choice, isChosen }) => (
          <label key={choice} className={chip} title={choice}>
            <input
              type="radio"
              name={name}
              className="absolute inset-0 size-full appearance-none opacity-0"
              aria-label={choice}
              checked={isChosen}
              onChange={() => onChoose(list, `${label}: ${choice}`)}
            />
            {list.length > 1 ? <Icon name="shuffle" size={22} /> : <Face {...{ kind, shown }} part={list[0] ?? ""} />}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type PartChoiceProps = {
  kind: PartKind;
  chosen: string[];
  /** The face on which the parts are shown. */
  shown: AvatarOptions;
  onChoose: (names: string[], said: string) => void;
};

function Face({ kind, shown, part }: { kind: PartKind; shown: AvatarOptions; part: string }) {
  const upright = { flip: false, rotate: 0, scale: 100, translateX: 0, translateY: 0, radius: 0, size: undefined };
  const drawn = drawAvatar({ ...shown, ...upright, randomizeIds: false, backgroundColor: [], [kind]: [part] });
  return <img src={pictureAddress(drawn)} alt="" className={`size-full ${closeUp[kind]}`} draggable={false} />;
}

/** Nearer, where the part is small. */
const closeUp: Record<PartKind, string> = {
  body: "origin-[50%_88%] scale-150",
  eyes: "origin-[50%_44%] scale-[2.2]",
  facialHair: "origin-[50%_62%] scale-[1.7]",
  hair: "origin-[50%_50%] scale-110",
  mouth: "origin-[50%_66%] scale-[2.6]",
  nose: "origin-[50%_52%] scale-[2.8]",
};

// Paper in either mode: the faces are drawn for a light ground.
const chip =
  "relative grid aspect-square place-items-center overflow-hidden rounded-control bg-[#e9e3d5] text-ink ring-1 ring-inset ring-[#17181b1f] " +
  "hover:ring-[#17181b66] has-checked:outline-3 has-checked:outline-offset-2 has-checked:outline-text " +
  "has-focus-visible:ring-3 has-focus-visible:ring-[#17181b] forced-colors:has-checked:outline-[Highlight]";
