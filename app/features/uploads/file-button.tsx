/** A file input styled as a button. The same file can be chosen twice in a row. */
export function FileButton({
  id,
  label,
  accept,
  describedBy,
  isInvalid,
  isDisabled,
  capture,
  className = "",
  onChoose,
}: FileButtonProps) {
  return (
    <label className={`${buttonClass} ${className}`}>
      <input
        id={id}
        type="file"
        className="sr-only"
        accept={accept}
        capture={capture}
        disabled={isDisabled}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = "";
          if (file) onChoose(file);
        }}
      />
      {label}
    </label>
  );
}

type FileButtonProps = {
  /** The id of the input, to focus it. */
  id?: string;
  /** "Choose a file". */
  label: string;
  /** The `accept` attribute. */
  accept: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isDisabled?: boolean;
  /** Opens this camera of a phone instead of its files. */
  capture?: "user" | "environment";
  className?: string;
  onChoose: (file: File) => void;
};

const buttonClass =
  "relative inline-flex min-h-11 cursor-pointer items-center justify-center rounded-control border border-line-strong px-4 py-1.5 text-center " +
  "text-sm font-semibold select-none hover:has-enabled:bg-higher has-disabled:cursor-not-allowed has-disabled:opacity-50 " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-text noscript:hidden";
