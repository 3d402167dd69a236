import { useState } from "react";

import { maxImportBytes, readFileOnServer } from "#app/features/links/import-file.ts";
import { leftOutReasons, linkImportMessages } from "#app/features/links/import-messages.ts";
import { selectNewLinks } from "#app/features/links/imported-links.ts";
import type { ImportedLink, LinkImportResult } from "#app/features/links/imported-links.ts";
import type { LinkDraft } from "#app/features/profile/editor/form-data.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** Adds links from a file to the form, unsaved, as if they had been typed. */
export function ImportLinksPanel({ links, maxLinks, onAdd, isFixed, onClose }: ImportLinksPanelProps) {
  const [state, setState] = useState<ImportState>({ kind: "idle" });
  const read = async (file: File) => {
    setState({ kind: "reading" });
    const response = await readFileOnServer<LinkImportResult>("/profile/links/import", firstPart(file), isLinksResult);
    if ("problem" in response) return setState({ kind: "refused", file: file.name, problem: response.problem });
    const selected = selectNewLinks(links, { imported: response.links, maxLinks });
    onAdd(selected.added);
    setState({ kind: "done", ...summarizeImport(selected, { left: response.left, maxLinks }) });
  };
  return (
    <div ref={focusFileInput} className="mt-4 border-t border-line pt-4">
      <div className="flex items-start justify-between gap-3">
        <p id="import-hint" className="text-sm text-muted">
          {linkImportMessages.hint}
        </p>
        <IconButton label="Close import" className="-me-3 -mt-3" onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
      <div className="mt-3">
        <FileButton
          label={state.kind === "reading" ? "Reading…" : "Choose a file to import"}
          accept=".html,.htm,.mhtml,.mht,.webarchive,.json,.csv,text/html,application/json,text/csv"
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

function focusFileInput(panel: HTMLElement | null) {
  panel?.querySelector("input")?.focus();
}

type ImportLinksPanelProps = {
  /** The links in the form. */
  links: readonly Pick<LinkDraft, "kind" | "label" | "url">[];
  maxLinks: number;
  onAdd: (links: readonly ImportedLink[]) => void;
  /** A save is running. */
  isFixed: boolean;
  onClose: () => void;
};

type ImportState =
  | { kind: "idle" | "reading" }
  | { kind: "refused"; file: string; problem: string }
  | { kind: "done"; title: string; rest: string[] };

function summarizeImport(
  { added, rest, duplicates }: ReturnType<typeof selectNewLinks>,
  { left, maxLinks }: { left: readonly string[]; maxLinks: number },
): { title: string; rest: string[] } {
  const count = added.length;
  const skipped = [...left, ...rest.map(({ label }) => linkImportMessages.leftOut(label, leftOutReasons.overLimit))];
  const sentences = [
    ...(rest.length > 0 ? [linkImportMessages.limited(count, count + rest.length, maxLinks)] : []),
    ...(duplicates > 0 ? [linkImportMessages.duplicates(duplicates)] : []),
    ...(skipped.length > 0 ? [linkImportMessages.skipped(skipped)] : []),
  ];
  return { title: count > 0 ? linkImportMessages.added(count) : linkImportMessages.noneAdded, rest: sentences };
}

/** A page saved as a single file begins with the page; the rest is images, often more than the largest file we read. */
function firstPart(file: File): File {
  return /\.(?:mhtml?|webarchive)$/i.test(file.name) ? new File([file.slice(0, maxImportBytes)], file.name) : file;
}

function isLinksResult(response: object): response is { links: ImportedLink[]; left: string[] } {
  return "links" in response && Array.isArray(response.links);
}
