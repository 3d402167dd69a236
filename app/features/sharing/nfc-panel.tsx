import { useEffect, useRef, useState, useSyncExternalStore } from "react";

import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { canWriteTags, isNfcDenied, nfcDenied, writeTag } from "./nfc.ts";
import type { NfcProblem } from "./nfc.ts";
import { CopyField } from "./share-copy.tsx";

/** A tag that opens the page when a phone is held to it: written here where the browser can, else with an app. */
export function NfcPanel({ url }: { url: string }) {
  // The server can't know: the page starts with what works everywhere.
  const canWrite = useSyncExternalStore(neverChanges, canWriteTags, () => false);
  return (
    <Panel title="NFC tag">
      <p className="text-muted">
        A sticker or card with an NFC chip (NTAG213 or larger). Whoever holds their phone to it sees your page.
      </p>
      {canWrite ? (
        <TagWriter url={url} />
      ) : (
        <>
          <p className="mt-2 text-muted">
            This browser can't write tags. Chrome on an Android phone can: open this page there. Or use an app.
          </p>
          <ByApp url={url} />
        </>
      )}
    </Panel>
  );
}

function TagWriter({ url }: { url: string }) {
  const [state, setState] = useState<State>({ kind: "ready" });
  const waiting = useRef<AbortController>(undefined);

  // A phone that waits for a tag goes on until it is told: also when this page is left.
  useEffect(() => () => waiting.current?.abort(), []);

  const write = async () => {
    if (await isNfcDenied()) return setState({ kind: "failed", problem: nfcDenied });
    const controller = new AbortController();
    waiting.current = controller;
    setState({ kind: "waiting" });
    const result = await writeTag(url, controller.signal);
    if (waiting.current === controller) setState(result.kind === "cancelled" ? { kind: "ready" } : result);
  };
  return (
    <div className="mt-4 grid gap-4">
      <TagState state={state} />
      <div className="flex flex-wrap gap-2.5">
        {state.kind === "waiting" ? (
          <Button onClick={() => waiting.current?.abort()}>Cancel</Button>
        ) : (
          <Button variant="main" onClick={() => void write()}>
            {state.kind === "written" ? "Write another tag" : state.kind === "failed" ? "Try again" : "Write to a tag"}
          </Button>
        )}
      </div>
      <details className="group">
        <summary className={summaryLook}>Write it with an app instead</summary>
        <ByApp url={url} />
      </details>
    </div>
  );
}

type State = { kind: "ready" } | { kind: "waiting" } | { kind: "written" } | { kind: "failed"; problem: NfcProblem };

/** Always in the page, so that what changes in it is read out. */
function TagState({ state }: { state: State }) {
  return (
    <div role="status" className="empty:hidden">
      {state.kind === "waiting" && (
        <p className="flex items-center gap-3 rounded-control border border-line-strong p-4">
          <span
            className="size-3 shrink-0 animate-breathe rounded-full bg-success motion-reduce:animate-none"
            aria-hidden="true"
          />
          Hold a tag to the upper back of this phone, and keep it there.
        </p>
      )}
      {state.kind === "written" && (
        <Notice tone="success" title="Written">
          Lock the screen, unlock it, and hold the phone to the tag to try it.
        </Notice>
      )}
      {state.kind === "failed" && (
        <Notice tone="error" title={state.problem.title}>
          {state.problem.text}
        </Notice>
      )}
    </div>
  );
}

/** What to do where no page can write a tag: iPhones, and all computers. */
function ByApp({ url }: { url: string }) {
  return (
    <div className="mt-4 grid gap-4">
      <CopyField label="Address for the tag" value={url} button="Copy address" />
      <ol className="grid list-decimal gap-1.5 ps-5 text-sm text-muted marker:tabular-nums">
        <li>Install a free app that writes NFC tags, on an iPhone (XS or later) or an Android phone.</li>
        <li>In it choose Write, then the record type URL or Link, and paste the address.</li>
        <li>
          Hold the tag to the top of an iPhone, or the upper back of an Android phone, until the app says it is done.
        </li>
        <li>Try the tag before you lock it: a locked tag can never be changed.</li>
      </ol>
    </div>
  );
}

const neverChanges = () => () => undefined;

const summaryLook =
  "inline-flex min-h-11 items-center text-sm font-medium text-muted underline underline-offset-4 hover:text-text";
