import { useState } from "react";

import { maxImportBytes, readFileOnServer } from "#app/features/links/import-file.ts";
import { leftOutReasons, linkImportMessages } from "#app/features/links/import-messages.ts";
import { selectNewLinks } from "#app/features/links/imported-links.ts";
import type { ImportedLink, ImportedTexts, LinkImportResult } from "#app/features/links/imported-links.ts";
import type { LinkDraft } from "#app/features/profile/editor/form-data.ts";
import { maxBio, maxDisplayName } from "#app/features/profile/rules.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { shortened } from "#app/services/base/plain-text.ts";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** Adds links from a file to the form, unsaved, as if they had been typed. Name and bio are filled in only when that is chosen. */
export function ImportLinksPanel({ links, texts, maxLinks, onAdd, onFill, isFixed, onClose }: ImportLinksPanelProps) {
  const [state, setState] = useState<ImportState>({ kind: "idle" });
  const read = async (file: File) => {
    setState({ kind: "reading" });
    const response = await readFileOnServer<LinkImportResult>("/profile/links/import", firstPart(file), isLinksResult);
    if ("problem" in response) return setState({ kind: "refused", file: file.name, problem: response.problem });
    const selected = selectNewLinks(links, { imported: response.links, maxLinks });
    onAdd(selected.added);
    setState({
      kind: "done",
      ...summarizeImport(selected, { left: response.left, maxLinks }),
      choices: response.texts ? listChoices(response.texts) : [],
    });
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
          accept=".zip,.html,.htm,.mhtml,.mht,.webarchive,.json,.csv,text/html,application/json,text/csv"
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
      {state.kind === "done" && state.choices.length > 0 && (
        <TextChoices choices={state.choices} {...{ texts, onFill, isFixed }} />
      )}
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
  /** The name and the bio in the form. */
  texts: Record<TextField, string>;
  maxLinks: number;
  onFill: (field: TextField, value: string) => void;
  onAdd: (links: readonly ImportedLink[]) => void;
  /** A save is running. */
  isFixed: boolean;
  onClose: () => void;
};

type ImportState =
  | { kind: "idle" | "reading" }
  | { kind: "refused"; file: string; problem: string }
  | { kind: "done"; title: string; rest: string[]; choices: TextChoice[] };

type TextField = "displayName" | "bio";
type TextChoice = { field: TextField; label: string; value: string; isShortened: boolean };

function listChoices({ name, headline, summary }: ImportedTexts): TextChoice[] {
  const choices = [
    { field: "displayName", label: "Name", text: name, max: maxDisplayName },
    { field: "bio", label: "Headline", text: headline, max: maxBio },
    { field: "bio", label: "Summary", text: summary, max: maxBio },
  ] as const;
  return choices
    .filter(({ text }) => text !== "")
    .map(({ field, label, text, max }) => {
      const value = shortened(text, max);
      return { field, label, value, isShortened: value !== text };
    });
}

/** Each text of LinkedIn with a button that uses it, and then one that restores what it replaced. */
function TextChoices({ choices, texts, onFill, isFixed }: TextChoicesProps) {
  const [replaced, setReplaced] = useState({ displayName: "", bio: "" });
  const use = ({ field, value }: TextChoice) => {
    const isTyped = !choices.some((choice) => choice.field === field && choice.value === texts[field]);
    if (isTyped) setReplaced({ ...replaced, [field]: texts[field] });
    onFill(field, value);
  };
  return (
    <ul aria-label="From LinkedIn" className="mt-4 grid divide-y divide-line">
      {choices.map((choice) => {
        const { field, label, value, isShortened } = choice;
        const isUsed = texts[field] === value;
        const { target, max } =
          field === "bio" ? { target: "bio", max: maxBio } : { target: "name", max: maxDisplayName };
        const action = isUsed ? "Undo" : `Use as ${target}`;
        return (
          <li key={label} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-48">
              <p className="text-sm text-muted">{label}</p>
              <p dir="auto" className="break-words whitespace-pre-line">
                {value}
              </p>
              {isShortened && <p className="text-sm text-muted">{linkImportMessages.shortened(max)}</p>}
              {!isUsed && texts[field].trim() !== "" && (
                <p dir="auto" className="text-sm break-words text-muted">
                  {linkImportMessages.replaces(texts[field])}
                </p>
              )}
            </div>
            <Button
              size="s"
              disabled={isFixed}
              aria-label={`${action}: ${label}`}
              onClick={() => (isUsed ? onFill(field, replaced[field]) : use(choice))}
            >
              {action}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

type TextChoicesProps = Pick<ImportLinksPanelProps, "texts" | "onFill" | "isFixed"> & {
  choices: readonly TextChoice[];
};

function summarizeImport(
  { added, rest, duplicates }: ReturnType<typeof selectNewLinks>,
  { left, maxLinks }: { left: readonly string[]; maxLinks: number },
) {
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

function isLinksResult(response: object): response is LinkImportResult & { links: ImportedLink[] } {
  return "links" in response && Array.isArray(response.links);
}
