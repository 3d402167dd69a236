import { useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import { countLabel } from "#app/features/leads/inbox-rules.ts";
import { useLiveEvents, useReadSoon } from "#app/features/live/live-client.ts";
import { Button } from "#app/ui/components/button.tsx";

import { readLeadCounts } from "./unread-status.tsx";

/** `since` is when the list was read, in epoch milliseconds, and `listed` are the ids of its leads. */
type NewLeadsNoticeProps = { since: number; listed: readonly string[] };

/** Says that leads have come in since the list was read, and loads them when it is pressed. */
export function NewLeadsNotice({ since, listed }: NewLeadsNoticeProps) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const status = useRef<HTMLDivElement>(null);
  const count = useNewLeads({ since, listed });
  const load = () => {
    // The button disappears: the keyboard stays where it was.
    status.current?.focus();
    void navigate("/leads", { replace: search === "" });
  };
  return (
    <div
      ref={status}
      role="status"
      tabIndex={-1}
      className="sticky top-3 z-10 grid justify-center outline-none print:hidden [&>button]:mb-4"
    >
      {count > 0 && (
        <Button variant="main" size="s" className="shadow-card" onClick={load}>
          {count === 1 ? "1 new lead" : `${countLabel(count)} new leads`}
        </Button>
      )}
    </div>
  );
}

function useNewLeads({ since, listed }: NewLeadsNoticeProps): number {
  const [found, setFound] = useState({ since, count: 0 });
  // What was announced for an earlier list is in this one.
  const announced = useRef<{ since: number; ids: readonly string[] }>({ since, ids: [] });
  const listIds = () => (announced.current.since === since ? announced.current.ids : []);
  const readSoon = useReadSoon(() => {
    const query = new URLSearchParams({ since: String(since) });
    for (const id of listIds()) query.append("id", id);
    void readLeadCounts(query).then((counts) => counts && setFound({ since, count: counts.unlisted }));
  });
  useLiveEvents(["lead.created"], ({ data: { leadId } }) => {
    if (leadId !== undefined && !listed.includes(leadId))
      announced.current = { since, ids: [...new Set([...listIds(), leadId])].slice(-maxIds) };
    readSoon();
  });
  return found.since === since ? found.count : 0;
}

const maxIds = 100;
