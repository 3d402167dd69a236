import { useEffect, useState } from "react";

import type { LiveEvent, LiveKind } from "#app/services/events/live/live-event.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import { useLiveEvents } from "./live-client.ts";

/** A quiet notice when the record that an editor shows was saved in another window or on another device. */
export function SavedElsewhereNotice({ record, cardId, version, isSaving, ...props }: EditedRecord) {
  const [found, setFound] = useState(version);
  const [kept, setKept] = useState(version);
  const [asked, setAsked] = useState(0);
  const concerns = ({ kind, data }: LiveEvent) =>
    kind === "reload" || cardId === undefined || data["cardId"] === cardId;
  useLiveEvents(kinds[record], (event) => concerns(event) && setAsked((count) => count + 1));
  const { onOtherChange } = props;
  useEffect(() => {
    // The page's own save leads to a new version as well: the question waits until that is known here.
    if (asked === 0 || isSaving) return undefined;
    const controller = new AbortController();
    void readVersion(record, cardId, controller.signal).then((current) => {
      if (current === undefined) return;
      setFound(current);
      if (current <= version) onOtherChange?.();
    });
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- another version or callback is no reason to ask again
  }, [asked, isSaving]);
  const isNewer = found > version && found > kept && !isSaving;
  return (
    <div role="status" className={isNewer ? "fixed inset-x-5 top-19 z-20 mx-auto max-w-140 lg:top-4" : ""}>
      {isNewer && (
        <Notice
          action={
            <>
              <Button size="s" onClick={props.onReload}>
                Reload
              </Button>
              <Button size="s" onClick={() => setKept(found)}>
                Keep what’s here
              </Button>
            </>
          }
        >
          This {record} was saved in another window. Reloading keeps what you have typed.
        </Notice>
      )}
    </div>
  );
}

const kinds: Record<EditedRecord["record"], readonly LiveKind[]> = {
  card: ["card.saved"],
  profile: ["profile.saved", "card.saved", "card.deleted", "plan.changed"],
  pass: ["card.saved", "pass.updated"],
};

/** Undefined when it can't be found out. */
async function readVersion(record: string, cardId: string | undefined, signal: AbortSignal) {
  try {
    const response = await fetch(`/functions/v1/${record}-version?card=${cardId ?? ""}`, { signal });
    const body: unknown = await response.json();
    return typeof body === "object" && body && "version" in body ? Number(body.version) : undefined;
  } catch {
    return undefined;
  }
}

/** The record that an editor shows, and what the editor can do when it is saved elsewhere. */
export type EditedRecord = {
  record: "card" | "profile" | "pass";
  /** The card of the record; undefined for the profile. */
  cardId?: string;
  /** The version that the editor shows. */
  version: number;
  isSaving: boolean;
  /** Loads what is stored, and merges it with what is typed. */
  onReload: () => void;
  /** Called after an event when there is no newer version. */
  onOtherChange?: () => void;
};
