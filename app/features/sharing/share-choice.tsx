/** One of a few words, all of them in sight: radio buttons that look like one control. */
export function ShareChoice<Id extends string>({ label, name, options, value, onChoose }: ShareChoiceProps<Id>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1 rounded-[14px] bg-higher p-1">
        {options.map((option) => (
          <label key={option.id} className={optionLook}>
            <input
              type="radio"
              className="absolute inset-0 size-full appearance-none rounded-[10px] opacity-0"
              name={name}
              value={option.id}
              checked={option.id === value}
              onChange={() => onChoose(option.id)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type ShareChoiceProps<Id extends string> = {
  label: string;
  /** As it is sent with a form, and what keeps two groups on a page apart. */
  name: string;
  options: readonly { id: Id; label: string }[];
  value: Id;
  onChoose: (id: Id) => void;
};

const optionLook =
  "relative flex min-h-11 grow items-center justify-center rounded-[10px] border border-transparent px-4 text-sm font-semibold text-muted " +
  "hover:text-text has-checked:bg-picked has-checked:text-text has-checked:shadow-[0_1px_3px_#0003] " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text forced-colors:has-checked:border-[Highlight]";
