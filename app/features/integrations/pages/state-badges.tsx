import { integrationMessages as messages } from "#app/features/integrations/messages.ts";
import type { IntegrationState } from "#app/services/database/webhook-schema.ts";

const colors: Record<IntegrationState, string> = { on: "text-success", paused: "text-muted", refused: "text-warning" };

export function StateBadge({ state }: { state: IntegrationState }) {
  return <span className={`shrink-0 text-sm font-medium ${colors[state]}`}>{messages.states[state]}</span>;
}
