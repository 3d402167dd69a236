import type { ReactNode } from "react";

type ImageChoice = { value: string; label: string; image: ReactNode };

type ImageFieldProps = {
  name: string;
  legend: string;
  choices: readonly ImageChoice[];
  chosen: string;
  onChoose: (value: string) => void;
};

/** The choices of a picker as radio buttons, which are what the form sends. Without script they are visible. */
export function ImageField({ name, legend, choices, chosen, onChoose }: ImageFieldProps) {
  const isListed = choices.some(({ value }) => value === chosen);
  // An image that was just uploaded isn't listed yet.
  const unlisted = !isListed && <input type="hidden" name={name} value={chosen} autoComplete="off" />;
  if (choices.length === 0) return unlisted;
  return (
    <fieldset className="hidden noscript:block">
      <legend className="mb-3 text-sm font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {choices.map(({ value, label, image }) => (
          <label
            key={value}
            className="grid cursor-pointer content-between justify-items-center gap-1.5 text-center text-sm"
          >
            {image}
            <span className="flex min-h-11 max-w-full items-center gap-2">
              <input
                type="radio"
                name={name}
                value={value}
                checked={value === chosen}
                autoComplete="off"
                onChange={() => onChoose(value)}
                className="size-5 shrink-0 accent-text"
              />
              <span className="min-w-0 wrap-anywhere" dir="auto">
                {label}
              </span>
            </span>
          </label>
        ))}
        {unlisted}
      </div>
    </fieldset>
  );
}
