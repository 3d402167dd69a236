import { useEffect, useRef, useState } from "react";

import { linksToAdd } from "#app/features/links/import-answer.ts";
import type { ImportedLink, LinksAnswer } from "#app/features/links/import-answer.ts";
import { readByServer } from "#app/features/links/import-file.ts";
import { importWords } from "#app/features/links/import-words.ts";
import { maxLinks } from "#app/features/links/rules.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Takes links from a file into the form, as if they had been typed: saved with it, or gone with it. */
export function ImportLinks({ links, onAdd, isFixed, onClose }: ImportLinksProps) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>({ kind: "asking" });

  // Whoever opened it wants to choose a file next.
  useEffect(() => place.current?.querySelector("input")?.focus(), []);

  const read = async (file: File) => {
    setState({ kind: "reading" });
    const answer = await readByServer<LinksAnswer>("/profile/links/import", file, isLinks);
    if ("problem" in answer) return setState({ kind: "refused", file: file.name, problem: answer.problem });
    const { taken, fresh, doubles } = linksToAdd(links, answer.links);
    onAdd(taken);
    setState({ kind: "done", ...wordsFor({ taken: taken.length, fresh, doubles }, answer.left) });
  };
  return (
    <div ref={place} className="mt-4 border-t border-line pt-4">
      <div className="flex items-start justify-between gap-3">
        <p id="import-hint" className="text-sm text-muted">
          {importWords.hint}
        </p>
        <IconButton label="Close the import" className="-me-3 -mt-3" onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
      <div className="mt-3">
        <FileButton
          label={state.kind === "reading" ? "Reading…" : "Choose a file of links"}
          accept=".html,.htm,.json,text/html,application/json"
          describedBy="import-hint"
          isInvalid={state.kind === "refused"}
          isDisabled={isFixed}
          onChoose={(file) => void read(file)}
        />
      </div>
      <div role="status" className="empty:hidden [&>*]:mt-4">
        {state.kind === "done" && (
          <Notice title={state.title}>{state.rest.length > 0 && <p>{state.rest.join(" ")}</p>}</Notice>
        )}
      </div>
      {state.kind === "refused" && (
        <Notice tone="error" title={state.file} className="mt-4">
          {state.problem}
        </Notice>
      )}
    </div>
  );
}

type ImportLinksProps = {
  /** The rows of the form as they are now. */
  links: readonly { url: string }[];
  onAdd: (links: readonly ImportedLink[]) => void;
  /** A save is under way. */
  isFixed: boolean;
  onClose: () => void;
};

type State =
  | { kind: "asking" | "reading" }
  | { kind: "refused"; file: string; problem: string }
  | { kind: "done"; title: string; rest: string[] };

type Counts = { taken: number; fresh: number; doubles: number };

function wordsFor({ taken, fresh, doubles }: Counts, left: readonly string[]): { title: string; rest: string[] } {
  const rest = [
    ...(taken < fresh ? [importWords.limited(taken, fresh, maxLinks)] : []),
    ...(doubles > 0 ? [importWords.doubles(doubles)] : []),
    ...(left.length > 0 ? [importWords.left(left)] : []),
  ];
  return { title: taken > 0 ? importWords.added(taken) : importWords.noneAdded, rest };
}

function isLinks(answer: object): answer is { links: ImportedLink[]; left: string[] } {
  return "links" in answer && Array.isArray(answer.links);
}
