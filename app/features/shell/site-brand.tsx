import { Seal } from "#app/ui/seal.tsx";

/** The way home. */
export function Brand() {
  return (
    <a href="/" className="flex min-h-11 items-center gap-2.5 pe-2 no-underline">
      <Seal size={28} />
      <span className="heading text-[1.375rem] leading-none">Meishi</span>
    </a>
  );
}
