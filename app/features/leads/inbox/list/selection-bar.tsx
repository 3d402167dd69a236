import { Button } from "#app/ui/components/button.tsx";
import { describedBy, FieldError, inputClass } from "#app/ui/forms/field.tsx";

export const selectionId = "selection";

/** A tag that wasn't added, why, and the leads that it was for. */
export type RefusedTag = { tag: string; problem: string; ids: readonly string[] };

type SelectionBarProps = {
  isSpam: boolean;
  /** The owner's. */
  tags: readonly string[];
  refused?: RefusedTag | undefined;
  /** How many leads; undefined until script has counted them. */
  selected: number | undefined;
};

/** Shown once a lead is selected, also without script. */
export function SelectionBar({ isSpam, tags, refused, selected }: SelectionBarProps) {
  return (
    <fieldset
      id={selectionId}
      tabIndex={-1}
      className="outline-none sticky bottom-3 hidden flex-wrap items-center gap-2.5 max-sm:gap-1.5 max-sm:*:grow max-sm:[&>button]:px-2 rounded-card border border-line-strong bg-raised p-3 shadow-card group-has-[[name=id]:checked]/inbox:flex print:hidden"
    >
      <legend className="sr-only">With the selected leads</legend>
      {selected !== undefined && (
        <p className="px-1 text-sm font-medium tabular-nums max-sm:basis-full">{selected} selected</p>
      )}
      {isSpam ? (
        <Button type="submit" size="s" variant="main" name="intent" value="not-spam">
          Not spam
        </Button>
      ) : (
        <span className="flex min-w-0 grow basis-52 gap-2 max-sm:basis-full">
          <input
            name="tag"
            list="own-tags"
            aria-label="Tag to add"
            placeholder="Tag"
            defaultValue={refused?.tag}
            autoFocus={refused !== undefined}
            {...describedBy("tag", { error: refused?.problem })}
            autoComplete="off"
            className={`${inputClass} h-11`}
          />
          <Button type="submit" size="s" name="intent" value="tag" className="shrink-0">
            Add tag
          </Button>
        </span>
      )}
      {refused && (
        // Below the buttons where they fit in one row with the field.
        <div className="basis-full sm:order-1">
          <FieldError id="tag">{refused.problem}</FieldError>
        </div>
      )}
      <datalist id="own-tags">
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {!isSpam && selected !== 1 && (
        <Button type="submit" size="s" formMethod="get" formAction="/leads/merge">
          Merge
        </Button>
      )}
      <Button type="submit" size="s" formMethod="get" formAction="/leads/export.csv">
        CSV
      </Button>
      <Button type="submit" size="s" formMethod="get" formAction="/leads/contacts.vcf">
        vCard
      </Button>
      <Button type="submit" size="s" variant="danger" name="intent" value="delete">
        Delete
      </Button>
      <p className="hidden basis-full text-sm text-muted group-has-[[data-merged]:checked]/inbox:block">
        Deleting includes all submissions of a person.
      </p>
    </fieldset>
  );
}
