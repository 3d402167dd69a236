import { messages as linkMessages } from "#app/features/links/messages.ts";
import { isAllowedAddress, maxLinks, withScheme } from "#app/features/links/rules.ts";

import { isBlankLink } from "./draft.ts";
import type { LinkDraft, Problems, ProfileDraft } from "./draft.ts";

/** What the editor knows while somebody edits. Problems of links stand under the key of their link, so that they move with it. */
export type Editing = {
  draft: ProfileDraft;
  /** What is stored, as far as this page knows: all else is unsaved. */
  saved: ProfileDraft;
  version: number;
  problems: Problems;
  /** The keys of the links whose fields are shown. */
  open: readonly string[];
  /** What was saved meanwhile by another tab, while it is to be chosen which one to keep. */
  other?: Stored | undefined;
  /** The last change of the list of links in words, to be read out. */
  news: string;
  /** How many links were added here: the next one's key. */
  added: number;
};

export type Stored = { draft: ProfileDraft; version: number };

/** How a save was answered that did not succeed. `typed` is there where the page was loaded anew by it. */
export type SaveAnswer = {
  notice: { title: string; text: string };
  problems?: Problems;
  typed?: Stored;
  other?: Stored;
  isSignedOut?: boolean;
};

export type Edit =
  | { kind: "text"; name: "displayName" | "bio" | "handle" | "theme"; value: string }
  | { kind: "problem"; name: string; text: string }
  | { kind: "switch"; name: "showBusinessCard" | "isListed"; isOn: boolean }
  | { kind: "link"; key: string; change: Partial<Omit<LinkDraft, "key" | "id">> }
  | { kind: "leave-url"; key: string }
  | { kind: "open"; key: string; isOpen: boolean }
  | { kind: "add"; link?: Pick<LinkDraft, "label" | "url"> }
  | { kind: "remove"; key: string }
  | { kind: "move"; key: string; to: number }
  | { kind: "answer"; answer: SaveAnswer }
  | { kind: "take"; stored: Stored }
  | { kind: "typed-early"; draft: ProfileDraft };

/** The state to begin with: what is stored, or what was sent when a save brought us here. */
export function startEditing(stored: Stored, answer?: SaveAnswer): Editing {
  const { draft, version } = answer?.typed ?? stored;
  const start = { draft, saved: stored.draft, version, problems: {}, open: [], news: "", added: 0 };
  return answer ? afterAnswer(start, answer) : start;
}

export function edit(state: Editing, change: Edit): Editing {
  switch (change.kind) {
    case "text":
      return {
        ...state,
        draft: { ...state.draft, [change.name]: change.value },
        problems: { ...state.problems, [change.name]: undefined },
      };
    case "problem":
      return { ...state, problems: { ...state.problems, [change.name]: change.text } };
    case "switch":
      return { ...state, draft: { ...state.draft, [change.name]: change.isOn } };
    case "open":
      return { ...state, open: [...without(state.open, change.key), ...(change.isOpen ? [change.key] : [])] };
    case "answer":
      return afterAnswer(state, change.answer);
    case "take":
      return { ...startEditing(change.stored), added: state.added };
    case "typed-early":
      return { ...state, draft: change.draft };
    default:
      return editLinks(state, change);
  }
}

type LinkEdit = Extract<Edit, { kind: "link" | "leave-url" | "add" | "remove" | "move" }>;

function editLinks(state: Editing, change: LinkEdit): Editing {
  switch (change.kind) {
    case "link":
      return changeLink(state, change.key, change.change);
    case "leave-url":
      return leaveUrl(state, change.key);
    case "add":
      return addLink(state, change.link);
    case "remove":
      return removeLink(state, change.key);
    case "move":
      return moveLink(state, change);
  }
}

function changeLink(state: Editing, key: string, change: Partial<LinkDraft>): Editing {
  const links = state.draft.links.map((link) => (link.key === key ? { ...link, ...change } : link));
  const fields = Object.keys(change);
  // An end that came too early may be mended by the start.
  const mended = "from" in change || "until" in change ? [...fields, "from", "until"] : fields;
  const gone = Object.fromEntries(mended.map((field) => [`${key}.${field}`, undefined]));
  return { ...state, draft: { ...state.draft, links }, problems: { ...state.problems, links: undefined, ...gone } };
}

/** Whoever leaves the field has finished the address: it gets its https://, and is told when it is none. */
function leaveUrl(state: Editing, key: string): Editing {
  const link = state.draft.links.find((one) => one.key === key);
  if (!link || link.url.trim() === "") return state;
  const url = withScheme(link.url);
  const next = url === link.url ? state : changeLink(state, key, { url });
  if (isAllowedAddress(url)) return next;
  return { ...next, problems: { ...next.problems, [`${key}.url`]: linkMessages.invalidUrl } };
}

/** A new row: to be filled in, or with what an import says. */
function addLink(state: Editing, link?: Pick<LinkDraft, "label" | "url">): Editing {
  if (state.draft.links.length >= maxLinks) return state;
  const key = `new-${state.added}`;
  const blank = { id: "", label: "", url: "", on: true, from: "", until: "", tab: "" };
  const links = [...state.draft.links, { key, ...blank, ...link }];
  return {
    ...state,
    draft: { ...state.draft, links },
    open: link ? state.open : [...state.open, key],
    added: state.added + 1,
    news: `Link ${links.length} of ${maxLinks} added.`,
  };
}

function removeLink(state: Editing, key: string): Editing {
  const gone = state.draft.links.find((link) => link.key === key);
  if (!gone) return state;
  const links = state.draft.links.filter((link) => link !== gone);
  const problems = { ...state.problems, links: undefined };
  return { ...state, draft: { ...state.draft, links }, problems, news: `${nameOf(gone)} removed.` };
}

function moveLink(state: Editing, { key, to }: { key: string; to: number }): Editing {
  const from = state.draft.links.findIndex((link) => link.key === key);
  const link = state.draft.links[from];
  if (!link || to < 0 || to >= state.draft.links.length || to === from) return state;
  const links = state.draft.links.toSpliced(from, 1).toSpliced(to, 0, link);
  return {
    ...state,
    draft: { ...state.draft, links },
    news: `${nameOf(link)} moved to place ${to + 1} of ${links.length}.`,
  };
}

/** What a link is called on the screen and aloud. */
export function nameOf(link: LinkDraft): string {
  return link.label.trim() || (isBlankLink(link) ? "New link" : link.url.trim());
}

function afterAnswer(state: Editing, { problems = {}, typed, other }: SaveAnswer): Editing {
  const { links } = state.draft;
  const keyed = Object.entries(problems).map(([name, text]) => {
    const [list, index, field] = name.split(".");
    const link = list === "links" && field ? links[Number(index)] : undefined;
    return [link ? `${link.key}.${field}` : name, text] as const;
  });
  const broken = links.filter(({ key }) => keyed.some(([name]) => name.startsWith(`${key}.`))).map(({ key }) => key);
  return {
    ...state,
    // Whoever chose to replace a later version has chosen that for the next try as well.
    version: typed?.version ?? state.version,
    problems: Object.fromEntries(keyed),
    open: [...new Set([...state.open, ...broken])],
    other,
  };
}

function without(keys: readonly string[], key: string): string[] {
  return keys.filter((one) => one !== key);
}
