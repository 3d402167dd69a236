import { useEffect, useRef, useState } from "react";

import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** Writes a URL to a tag, in browsers that can. */
export function TagWriter({ url }: { url: string }) {
  const [state, setState] = useState<WriteState>({ kind: "ready" });
  const waiting = useRef<AbortController>(undefined);

  // The phone waits for a tag until it is canceled, even after the user leaves the page.
  useEffect(() => () => waiting.current?.abort(), []);

  const write = async () => {
    if (await isNfcDenied()) return setState({ kind: "failed", problem: nfcDenied });
    const controller = new AbortController();
    waiting.current = controller;
    setState({ kind: "waiting" });
    const result = await writeTag(url, controller.signal);
    if (waiting.current === controller) setState(result.kind === "canceled" ? { kind: "ready" } : result);
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
        <summary className={summaryClass}>Use an app instead</summary>
        <AppInstructions url={url} />
      </details>
    </div>
  );
}

type WriteState =
  | { kind: "ready" }
  | { kind: "waiting" }
  | { kind: "written" }
  | { kind: "failed"; problem: NfcProblem };

/** Always in the page, so that screen readers announce its changes. */
function TagState({ state }: { state: WriteState }) {
  return (
    <div role="status" className="empty:hidden">
      {state.kind === "waiting" && (
        <p className="flex items-center gap-3 rounded-control border border-line-strong p-4">
          <span
            className="size-3 shrink-0 animate-breathe rounded-full bg-success motion-reduce:animate-none"
            aria-hidden="true"
          />
          Hold a tag to the upper back of this phone and keep it there.
        </p>
      )}
      {state.kind === "written" && (
        <Notice tone="success" title="Written">
          To test it, lock and unlock your phone, then tap the tag.
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

/** Instructions for devices on which pages can't write tags: iPhones and computers. */
export function AppInstructions({ url, variant }: { url: string; variant?: "main" }) {
  return (
    <div className="mt-4 grid gap-4">
      <CopyField label="Link for the tag" value={url} button="Copy tag link" variant={variant} />
      <ol className="grid list-decimal gap-1.5 ps-5 text-sm text-muted marker:tabular-nums">
        <li>Install a free NFC writing app on an iPhone (XS or later) or an Android phone.</li>
        <li>In the app, choose Write, select URL or Link as the record type, and paste the link.</li>
        <li>
          Hold the tag to the top of an iPhone, or to the upper back of an Android phone, until the app confirms it.
        </li>
        <li>Test the tag before you lock it. A locked tag can’t be changed.</li>
      </ol>
    </div>
  );
}

const summaryClass =
  "inline-flex min-h-11 items-center text-sm font-medium text-muted underline underline-offset-4 hover:text-text";

/** The outcome of writing a tag; a problem has a title and text for the user. */
export type NfcResult = { kind: "written" } | { kind: "canceled" } | { kind: "failed"; problem: NfcProblem };

export type NfcProblem = { title: string; text: string };

/** True in Chrome on Android, over https (Web NFC §2). */
export function canWriteTags(): boolean {
  return "NDEFReader" in globalThis;
}

/**
 * Waits for a tag and writes the URL to it, replacing its content; `signal` cancels. The first time the browser asks the user for
 * permission.
 */
export async function writeTag(url: string, signal: AbortSignal): Promise<NfcResult> {
  try {
    await new NDEFReader().write({ records: [{ recordType: "url", data: url }] }, { signal, overwrite: true });
    return { kind: "written" };
  } catch (error) {
    // After canceling, the error doesn't matter.
    if (signal.aborted) return { kind: "canceled" };
    return { kind: "failed", problem: nfcProblemOf(error instanceof Error ? error.name : "") };
  }
}

/** Whether the user denied the permission before: the browser then doesn't ask again. */
export async function isNfcDenied(): Promise<boolean> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript's list of permissions is incomplete
    const name = "nfc" as PermissionName;
    return (await navigator.permissions.query({ name })).state === "denied";
  } catch (error) {
    // The browser doesn't know this permission, and asks when writing.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

export const nfcDenied: NfcProblem = {
  title: "NFC is blocked",
  text: "Allow NFC for this site in your browser’s settings, then try again.",
};

/** Maps the names of the errors that `write()` rejects with (Web NFC §9 and §13). */
function nfcProblemOf(name: string): NfcProblem {
  return nfcProblems[name] ?? { title: "Not written", text: "Something went wrong. Hold the tag still and try again." };
}

const nfcOff = { title: "NFC is off", text: "Turn on NFC in your phone’s settings, then try again." };

const nfcProblems: Record<string, NfcProblem> = {
  NotAllowedError: nfcDenied,
  NotReadableError: nfcOff,
  NotSupportedError: {
    title: "Can’t write to this tag",
    text: "Make sure NFC is on, and use an empty tag that supports NDEF, such as NTAG213.",
  },
  NetworkError: {
    title: "The tag was moved or is locked",
    text: "Hold it to the upper back of the phone until it’s written. A locked tag can’t be changed.",
  },
  InvalidStateError: { title: "Not written", text: "This page was in the background. Keep it open and try again." },
};

/** The part of Web NFC that we use; TypeScript's DOM library lacks it. */
declare const NDEFReader: new () => NdefWriter;
type NdefWriter = {
  write(
    message: { records: { recordType: "url"; data: string }[] },
    options: { signal: AbortSignal; overwrite: boolean },
  ): Promise<void>;
};
