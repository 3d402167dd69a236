/** What an empty list on a public page says. */
export function EmptyList({ children }: { children: React.ReactNode }) {
  return <div className="empty">{children}</div>;
}
