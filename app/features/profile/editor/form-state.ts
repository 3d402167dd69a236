import { useReducer, useState } from "react";
import { useRevalidator } from "react-router";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { countEntries, isAllowedAddress, maxHeadings, withScheme } from "#app/features/links/rules.ts";
import { findUserName, relabel } from "#app/features/links/site-data.ts";
import { isBlankLink, isSameDraft, linkTextNames, readDraft } from "./form-data.ts";
import type { LinkDraft, ProfileDraft } from "./form-data.ts";
import { messages } from "#app/features/profile/messages.ts";
import type { ProfileSwitchName, ProfileTextName } from "#app/features/profile/profile-fields.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { useVersionedForm } from "#app/ui/forms/versioned-form.tsx";
import type { FieldErrors, SaveRejection, Versioned } from "#app/ui/forms/versioned-values.ts";

/** What is typed in the editor. The errors of links are under the key of their link, so that they move with it. */
export type ProfileEdits = {
  draft: ProfileDraft;
  errors: FieldErrors;
  /** The keys of the links whose fields are open. */
  openKeys: readonly string[];
  /** The last change of the list of links, for screen readers. */
  announcement: string;
  /** How many links were added here: the next one's key. */
  addedCount: number;
};

/** What the sections of the editor show. */
export type ProfileFormState = ProfileEdits & {
  /** The stored profile, as far as this page knows: everything else is unsaved. */
  saved: ProfileDraft;
};

export type ProfileRejection = SaveRejection<ProfileDraft>;

export type ProfileFormAction =
  | { kind: "text"; name: ProfileTextName; value: string }
  | { kind: "error"; name: string; text: string }
  | { kind: "switch"; name: ProfileSwitchName; isOn: boolean }
  | { kind: "link"; key: string; change: Partial<Omit<LinkDraft, "key" | "id">> }
  | { kind: "leave-url"; key: string }
  | { kind: "open"; key: string; isOpen: boolean }
  | { kind: "add"; maxLinks: number; link?: Pick<LinkDraft, "kind" | "label" | "url"> }
  | { kind: "remove"; key: string }
  | { kind: "move"; key: string; to: number }
  | { kind: "rejected"; errors: FieldErrors }
  | { kind: "typed-early"; draft: ProfileDraft };

/** Starts with what is stored, or with what was sent by a save that loaded this page again. */
export function initialEdits(stored: ProfileDraft, rejection?: ProfileRejection): ProfileEdits {
  const draft = rejection?.sent?.values ?? stored;
  const edits = { draft, errors: {}, openKeys: [], announcement: "", addedCount: 0 };
  return rejection ? showErrors(edits, rejection.errors ?? {}) : edits;
}

export function profileFormReducer(state: ProfileEdits, action: ProfileFormAction): ProfileEdits {
  switch (action.kind) {
    case "text":
      return {
        ...state,
        draft: { ...state.draft, [action.name]: action.value },
        errors: { ...state.errors, [action.name]: undefined },
      };
    case "error":
      return { ...state, errors: { ...state.errors, [action.name]: action.text } };
    case "switch":
      return { ...state, draft: { ...state.draft, [action.name]: action.isOn } };
    case "open":
      return { ...state, openKeys: [...without(state.openKeys, action.key), ...(action.isOpen ? [action.key] : [])] };
    case "rejected":
      return showErrors(state, action.errors);
    case "typed-early":
      return { ...state, draft: action.draft };
    default:
      return linksReducer(state, action);
  }
}

type LinkFormAction = Extract<ProfileFormAction, { kind: "link" | "leave-url" | "add" | "remove" | "move" }>;

function linksReducer(state: ProfileEdits, action: LinkFormAction): ProfileEdits {
  switch (action.kind) {
    case "link":
      return changeLink(state, action.key, action.change);
    case "leave-url":
      return completeUrl(state, action.key);
    case "add":
      return addLink(state, action);
    case "remove":
      return removeLink(state, action.key);
    case "move":
      return moveLink(state, action);
  }
}

function changeLink(state: ProfileEdits, key: string, change: Partial<LinkDraft>): ProfileEdits {
  const isSuggested = change.url !== undefined && change.label === undefined;
  const links = state.draft.links.map((link) => {
    if (link.key !== key) return link;
    const changed = { ...link, ...change };
    return isSuggested ? { ...changed, label: relabel(link.label, { from: link.url, to: changed.url }) } : changed;
  });
  const fields = [...Object.keys(change), ...(isSuggested ? ["label"] : [])];
  // A new start may also correct an end that was too early.
  const corrected = "from" in change || "until" in change ? [...fields, "from", "until"] : fields;
  const cleared = Object.fromEntries(corrected.map((field) => [`${key}.${field}`, undefined]));
  return { ...state, draft: { ...state.draft, links }, errors: { ...state.errors, links: undefined, ...cleared } };
}

/** When the URL field loses the focus: adds https:// and validates. */
function completeUrl(state: ProfileEdits, key: string): ProfileEdits {
  const link = state.draft.links.find((candidate) => candidate.key === key);
  if (!link || link.url.trim() === "") return state;
  const url = withScheme(link.url);
  const next = url === link.url ? state : changeLink(state, key, { url });
  if (isAllowedAddress(url)) return next;
  const userName = findUserName(url);
  const error = userName === undefined ? linkMessages.invalidUrl : linkMessages.chooseNetwork(userName);
  return { ...next, errors: { ...next.errors, [`${key}.url`]: error } };
}

type AddedLink = { maxLinks: number; link?: Pick<LinkDraft, "kind" | "label" | "url"> };

/** Adds an empty row, which opens and closes the others that have no error, or the row of an imported link. */
function addLink(state: ProfileEdits, { link, maxLinks }: AddedLink): ProfileEdits {
  const isHeading = link?.kind === "heading";
  const count = countEntries(state.draft.links);
  if (isHeading ? count.headings >= maxHeadings : count.links >= maxLinks) return state;
  const key = `new-${state.addedCount}`;
  const blank = { id: "", kind: "link" as const, on: true, ...mapFields(linkTextNames, () => "") };
  const isImported = link !== undefined && !isBlankLink(link);
  const { links: before } = state.draft;
  // A new heading is above the open link, or else the first one: at the end, no link would follow.
  const open = before.findIndex((one) => one.kind !== "heading" && state.openKeys.includes(one.key));
  const position = isHeading && !isImported ? Math.max(open, 0) : before.length;
  const links = before.toSpliced(position, 0, { key, ...blank, ...link });
  const withErrors = state.openKeys.filter((open) =>
    Object.entries(state.errors).some(([name, text]) => text && name.startsWith(`${open}.`)),
  );
  return {
    ...state,
    draft: { ...state.draft, links },
    openKeys: isImported ? state.openKeys : [...withErrors, key],
    addedCount: state.addedCount + 1,
    announcement: isHeading ? "Heading added." : `Link ${count.links + 1} of ${maxLinks} added.`,
  };
}

function removeLink(state: ProfileEdits, key: string): ProfileEdits {
  const removed = state.draft.links.find((link) => link.key === key);
  if (!removed) return state;
  const links = state.draft.links.filter((link) => link !== removed);
  const errors = { ...state.errors, links: undefined };
  return { ...state, draft: { ...state.draft, links }, errors, announcement: `${linkTitle(removed)} removed.` };
}

function moveLink(state: ProfileEdits, { key, to }: { key: string; to: number }): ProfileEdits {
  const from = state.draft.links.findIndex((link) => link.key === key);
  const link = state.draft.links[from];
  if (!link || to < 0 || to >= state.draft.links.length || to === from) return state;
  const links = state.draft.links.toSpliced(from, 1).toSpliced(to, 0, link);
  return {
    ...state,
    draft: { ...state.draft, links },
    announcement: `${linkTitle(link)} moved to position ${to + 1} of ${links.length}.`,
  };
}

/** The name of a link on the screen and for screen readers. */
export function linkTitle(link: LinkDraft): string {
  if (link.kind === "heading") return link.label.trim() || "New heading";
  return link.label.trim() || (isBlankLink(link) ? "New link" : link.url.trim());
}

/** Opens the links that have errors. */
function showErrors(state: ProfileEdits, errors: FieldErrors): ProfileEdits {
  const { links } = state.draft;
  const keyed = Object.entries(errors).map(([name, text]) => {
    const [list, index, field] = name.split(".");
    const link = list === "links" && field ? links[Number(index)] : undefined;
    return [link ? `${link.key}.${field}` : name, text] as const;
  });
  const invalidKeys = links
    .filter(({ key }) => keyed.some(([name]) => name.startsWith(`${key}.`)))
    .map(({ key }) => key);
  return {
    ...state,
    errors: Object.fromEntries(keyed),
    openKeys: [...new Set([...state.openKeys, ...invalidKeys])],
  };
}

function without(keys: readonly string[], key: string): string[] {
  return keys.filter((candidate) => candidate !== key);
}

/**
 * The state of the editor's form. Later loads of the profile don't change what a save replaces, unless `reload` asked for them: it merges what
 * is stored with what is typed.
 */
export function useProfileForm(loaded: Versioned<ProfileDraft>, received: ProfileRejection | undefined) {
  const [stored, setStored] = useState(loaded);
  const [known, setKnown] = useState(loaded.version);
  const [isReloading, setIsReloading] = useState(false);
  const { revalidate } = useRevalidator();
  const [edits, dispatch] = useReducer(profileFormReducer, undefined, () => initialEdits(stored.values, received));
  const [handled, setHandled] = useState(received);
  if (received !== handled) {
    setHandled(received);
    if (received) dispatch({ kind: "rejected", errors: received.errors ?? {} });
  }
  if (isReloading && loaded.version !== known) {
    setIsReloading(false);
    setKnown(loaded.version);
    const { draft, isComplete } = mergeDrafts({ base: stored.values, mine: edits.draft, other: loaded.values });
    dispatch({ kind: "typed-early", draft });
    // The next save asks about fields that were changed in both places.
    if (isComplete) setStored(loaded);
  }
  const reload = () => {
    setIsReloading(true);
    void revalidate();
  };
  // The list of cards, and what the plan allows.
  const onOtherChange = () => void revalidate();
  const versioned = useVersionedForm({
    stored,
    rejection: received,
    values: edits.draft,
    onTypedEarly: (draft) => dispatch({ kind: "typed-early", draft }),
    read: readDraft,
    isSame: isSameDraft,
    // The reason for a rejection is above the form; a conflict moves the focus itself.
    onNoFieldError: () => received?.conflict ?? window.scrollTo({ top: 0 }),
  });
  return {
    ...versioned,
    state: { ...edits, saved: stored.values },
    dispatch,
    version: known,
    onReload: reload,
    onOtherChange,
  };
}

/** Merges by link. A link that was never saved has no id, so it is known by its key meanwhile. */
function mergeDrafts({ base, mine, other }: { base: ProfileDraft; mine: ProfileDraft; other: ProfileDraft }) {
  const links = mine.links.map((link) => ({ ...link, id: link.id || unsaved + link.key }));
  const { values, conflicts } = mergeValues({ base, mine: { ...mine, links }, other });
  const withoutKeys = values.links.map((link) => (link.id.startsWith(unsaved) ? { ...link, id: "" } : link));
  return { draft: { ...values, links: withoutKeys }, isComplete: conflicts.length === 0 };
}

const unsaved = "unsaved:";

/** The plan's themes, and one of another plan that was chosen to see it: its stored theme is shown as visitors see it. */
export function previewedThemes({ draft, saved }: ProfileFormState, allowed: readonly string[]): readonly string[] {
  return draft.theme === saved.theme ? allowed : [...allowed, draft.theme];
}

export function failureNotice(text: string): NonNullable<ProfileRejection["notice"]> {
  return { title: messages.saveFailed, text, tone: "error" };
}
