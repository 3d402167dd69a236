/** What the owner's empty list of cards on their public page says. No one else sees it, so its styles are the app's. */
export function EmptyList({ children }: { children: React.ReactNode }) {
  return <div className={emptyClass}>{children}</div>;
}

const emptyClass =
  "rounded-[var(--r,14px)] border border-dashed border-(--line) px-5 py-6.5 text-center text-(--muted)";
