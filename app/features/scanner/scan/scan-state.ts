import { useEffect, useRef, useState } from "react";

import { readCard } from "#app/features/scanner/fields/card-rules.ts";
import type { CardReading, ProposedFieldName } from "#app/features/scanner/fields/card-rules.ts";
import { personFields } from "#app/features/scanner/in-person/in-person-fields.ts";
import type { TypedContact } from "#app/features/scanner/in-person/in-person-fields.ts";
import { createCardReader } from "#app/features/scanner/reading/reader-client.ts";
import type { CardReader, ReadingFailure, ReadingProgress } from "#app/features/scanner/reading/reader-client.ts";

/** What is going on with the chosen image. `url` is its preview. */
export type ScanState =
  | { step: "empty" }
  | { step: "busy"; url: string; progress: ReadingProgress | undefined }
  | { step: "failed"; url: string; failure: ReadingFailure }
  | { step: "read"; url: string; reading: CardReading };

/** A reader for as long as the page is open: its engine reads one card after another. */
export function useCardReader(): () => CardReader {
  const reader = useRef<CardReader>(undefined);
  // The engine holds 100 MB until it is stopped.
  useEffect(() => () => reader.current?.stop(), []);
  return () => (reader.current ??= createCardReader());
}

/** The state of one image, and how to choose and cancel it. `onRead` is called with what was read. */
export function useScan(openReader: () => CardReader, onRead: (reading: CardReading) => void) {
  const [state, setState] = useState<ScanState>({ step: "empty" });
  const abort = useRef<AbortController>(undefined);
  const url = state.step === "empty" ? undefined : state.url;
  // The browser keeps a file in memory until its address is revoked.
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  useEffect(() => () => abort.current?.abort(), []);

  async function scan(file: File) {
    abort.current?.abort();
    const current = new AbortController();
    abort.current = current;
    const preview = URL.createObjectURL(file);
    setState({ step: "busy", url: preview, progress: undefined });
    const onProgress = (progress: ReadingProgress) =>
      current.signal.aborted || setState({ step: "busy", url: preview, progress });
    const result = await openReader().read(file, { signal: current.signal, onProgress });
    if (result === "canceled") return;
    // What is still being loaded after a failure would report its progress later, in place of the result.
    current.abort();
    if ("failure" in result) return setState({ step: "failed", url: preview, failure: result.failure });
    const reading = readCard(result.lines);
    setState({ step: "read", url: preview, reading });
    onRead(reading);
  }

  function cancel() {
    abort.current?.abort();
    setState({ step: "empty" });
  }

  return { state, scan, cancel };
}

/** What was read goes into the fields that are empty; the rest, with what would have replaced typed text, is offered line by line. */
export function fillIn(typed: TypedContact, { fields, rest }: CardReading): { values: TypedContact; lines: string[] } {
  const values = { ...typed };
  const lines: string[] = [];
  for (const name of proposedNames) {
    const { value } = fields[name];
    if (values[name].trim() === "") values[name] = value;
    else if (value && value !== values[name]) lines.push(...value.split("\n"));
  }
  return { values, lines: [...lines, ...rest] };
}

const proposedNames: readonly ProposedFieldName[] = personFields;

/** Moves a line into a field. What was there before is offered in its place; a note gets one more line. */
export function moveLine(
  { values, lines }: { values: TypedContact; lines: readonly string[] },
  index: number,
  field: ProposedFieldName,
): { values: TypedContact; lines: string[] } {
  const moved = lines[index] ?? "";
  const before = values[field].trim();
  if (field === "note") {
    const note = before ? `${before}\n${moved}` : moved;
    return { values: { ...values, note }, lines: lines.filter((_, at) => at !== index) };
  }
  return {
    values: { ...values, [field]: moved },
    lines: lines.flatMap((line, at) => (at !== index ? [line] : before ? [before] : [])),
  };
}
