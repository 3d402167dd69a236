const states: Record<string, { label: string; tone: string }> = {
  on: { label: "On", tone: "text-success" },
  off: { label: "Off", tone: "text-muted" },
  failing: { label: "Failing", tone: "text-error" },
  waiting: { label: "Waiting", tone: "text-warning" },
  delivered: { label: "Delivered", tone: "text-success" },
  failed: { label: "Failed", tone: "text-error" },
  dropped: { label: "Not sent", tone: "text-muted" },
};

/** The state of an endpoint, for its badge. */
export function endpointState({ offReason, isFailing }: { offReason: string | undefined; isFailing: boolean }): string {
  if (offReason) return "off";
  return isFailing ? "failing" : "on";
}

/** The state of an endpoint or a delivery. */
export function StateBadge({ state }: { state: string }) {
  const { label, tone } = states[state] ?? { label: state, tone: "text-muted" };
  return <span className={`shrink-0 text-sm font-medium ${tone}`}>{label}</span>;
}
