import { randomLabel } from "#app/features/avatar/messages.ts";
import { Icon } from "#app/ui/components/icon.tsx";

/** The legend of a fieldset, and at the end of its line the radio button that leaves the choice to the seed. */
export function ChoiceHeader({ label, chosen, random }: ChoiceHeaderProps) {
  return (
    <>
      {/* Floated, because a legend stays on a line of its own otherwise. */}
      <legend className="float-left flex min-h-11 items-center gap-2 text-sm font-medium">
        {label} <span className="font-normal text-muted">{chosen}</span>
      </legend>
      <div className="mb-2 flex min-h-11 justify-end">
        {random && (
          <label className={pillClass}>
            <input
              type="radio"
              name={random.name}
              className="absolute inset-0 size-full appearance-none rounded-control opacity-0"
              checked={random.isChosen}
              onChange={random.onChoose}
            />
            <Icon name="shuffle" size={16} />
            {randomLabel}
          </label>
        )}
      </div>
    </>
  );
}

type ChoiceHeaderProps = {
  label: string;
  /** The label of what is chosen; "" for the seed's choice. */
  chosen: string;
  random: { name: string; isChosen: boolean; onChoose: () => void } | undefined;
};

const pillClass =
  "relative inline-flex min-h-11 items-center gap-1.5 rounded-control border border-transparent px-3.5 text-sm font-semibold text-muted " +
  "hover:text-text has-checked:border-line has-checked:bg-higher has-checked:text-text forced-colors:has-checked:border-[Highlight] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-text";
