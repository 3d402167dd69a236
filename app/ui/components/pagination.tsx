import { ButtonLink } from "./button.tsx";

/** The links to the next page and back to the first. */
export function Pagination({ next, first }: { next: string | undefined; first: string | undefined }) {
  if (!next && !first) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-2.5 print:hidden">
      {first && (
        <ButtonLink size="s" href={first}>
          Newest
        </ButtonLink>
      )}
      {next && (
        <ButtonLink size="s" href={next} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
