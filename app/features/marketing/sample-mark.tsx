/** Stands beside what we made up, so that nobody takes it for a fact. */
export function SampleMark() {
  return (
    <span className="shrink-0 rounded-full border border-line-strong px-2.5 text-xs leading-5.5 font-semibold text-muted">
      Sample
    </span>
  );
}
