/** A segmented control: radio buttons for a few options, all visible. Without `onChoose` the browser keeps the choice. */
export function ChoiceField<Id extends string>({ label, name, options, value, hint, onChoose }: ChoiceFieldProps<Id>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1 rounded-[14px] bg-higher p-1">
        {options.map((option) => (
          <label key={option.id} className={optionClass}>
            <input
              type="radio"
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-[10px] opacity-0"
              name={name}
              value={option.id}
              autoComplete="off"
              disabled={option.isDisabled}
              {...(onChoose
                ? { checked: option.id === value, onChange: () => onChoose(option.id) }
                : { defaultChecked: option.id === value })}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint && <p className="mt-2 text-sm text-muted">{hint}</p>}
    </fieldset>
  );
}

type ChoiceFieldProps<Id extends string> = {
  label: string;
  /** The name of the radio group, unique in its form. */
  name: string;
  options: readonly { id: Id; label: string; isDisabled?: boolean }[];
  value: Id;
  /** What the chosen option does. */
  hint?: string | undefined;
  onChoose?: (id: Id) => void;
};

const optionClass =
  "relative flex min-h-11 grow items-center justify-center rounded-[10px] border border-transparent px-2 text-sm font-semibold text-muted sm:px-3 " +
  "hover:text-text has-disabled:opacity-50 has-disabled:hover:text-muted has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text forced-colors:has-checked:border-[Highlight]";
