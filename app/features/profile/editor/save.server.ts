import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { formatDateTime } from "#app/features/links/local-time.ts";
import { transactProfile, writeProfile } from "#app/features/profile/data.server.ts";
import type { Profile, ProfileChange } from "#app/features/profile/data.server.ts";
import { isSameDraft, linkTexts, readProfileForm, toDraft, toSchedule } from "./form-data.ts";
import type { ProfileDraft } from "./form-data.ts";
import { saveMessages } from "#app/features/profile/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { switchLabels, typedTexts } from "#app/features/profile/profile-fields.ts";
import { findLockedTheme } from "#app/features/profile/rules.ts";
import { checkProfile } from "#app/features/profile/schema.ts";
import type { CheckProfileOptions } from "#app/features/profile/schema.ts";
import { themeChoices } from "#app/features/profile/themes.ts";
import { mapFields, namesOf } from "#app/services/base/form-fields.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import type { WriteFailure } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import type { MergeConflict } from "#app/ui/forms/merge-values.ts";
import { readMergeRequest, toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type {
  ConflictField,
  ConflictList,
  ConflictTexts,
  FieldErrors,
  MergeRequest,
  VersionedForm,
} from "#app/ui/forms/versioned-values.ts";

import { failureNotice } from "./form-state.ts";
import type { ProfileRejection } from "./form-state.ts";

type Context = Readonly<RouterContextProvider>;

/** Saves the sent form and redirects to the public profile. */
export async function saveProfileForm(context: Context, request: Request) {
  const form = await readForm(request);
  // The only other page that the form may name: itself.
  const staysHere = form.get("next") === editorPath;
  const submitted = {
    ...readProfileForm(form),
    request: readMergeRequest(form),
    ownerId: requireUser(context).id,
    staysHere,
  };
  if (!submitted.isComplete)
    return data<ProfileRejection>({ notice: failureNotice(saveMessages.unreadable) }, { status: 400 });
  return tryWrite(services(context).log, () => updateProfile(context, submitted), {
    ...failureMessages,
    refuse: (text, status) => refuse(submitted, status, { notice: failureNotice(text) }),
  });
}

const failureMessages: WriteFailure<string> = {
  event: "profile not saved",
  diskFull: saveMessages.diskFull,
  outcomeUnknown: saveMessages.outcomeUnknown,
  unexpected: saveMessages.serverError,
};

type SubmittedProfile = VersionedForm<ProfileDraft> & { ownerId: string; staysHere: boolean };

async function updateProfile(context: Context, submitted: SubmittedProfile) {
  const { ownerId, sent, request } = submitted;
  const { db, events, clock } = services(context);
  const now = clock();
  const stored = await loadOwnProfile(context);
  const plan = await findPlan(services(context), ownerId);
  const locked = findLockedTheme(plan, { theme: sent.values.theme, stored: stored.theme });
  const checked = checkProfile(locked ? { ...sent.values, theme: stored.theme } : sent.values, { plan, stored });
  if ("errors" in checked) return rejectFields(submitted, checked.errors);
  const change = addLinkIds(checked.change);
  const result = await transactProfile(db, ownerId, async (trx, current) => {
    const isNewest = current.version === sent.version;
    // A form that is sent twice: the second time there is nothing left to do.
    if (!isNewest && isSameDraft(toDraft(change), toDraft(current))) return { kind: "saved" } as const;
    const merged = isNewest ? { change } : mergeProfile({ change, request, plan }, current);
    if ("change" in merged) return writeProfile(trx, events, { ownerId, change: merged.change, now });
    return { kind: "conflict", version: current.version, fields: merged.conflicts } as const;
  });
  switch (result.kind) {
    case "saved":
      return saved(
        submitted.staysHere ? editorPath : `/u/${change.handle || ownerId}`,
        locked && saveMessages.themeNotSaved(locked.name),
      );
    case "handle-taken":
      return rejectFields(submitted, { handle: saveMessages.handleTaken });
    case "too-many-handles":
      return rejectFields(submitted, { handle: saveMessages.tooManyHandles });
    case "gone":
      throw redirect("/auth");
    case "conflict":
      return refuse(submitted, 409, { conflict: result });
  }
}

const editorPath = "/profile";

/** Leads to the public profile, by the handle if there is one, or back to the editor. `text`: what wasn't saved. */
function saved(path: string, text: string | undefined) {
  // Public pages are separate documents: the router can't render them into this one.
  const headers = new Headers({ "X-Remix-Reload-Document": "true" });
  const toast = { title: saveMessages.saved, ...(text && { text }), tone: text ? "info" : "success" } as const;
  return redirectWithToast(path, toast, headers);
}

function rejectFields(submitted: SubmittedProfile, errors: FieldErrors) {
  return refuse(submitted, 422, { errors, notice: failureNotice(saveMessages.refused) });
}

function refuse({ reject }: SubmittedProfile, status: number, reason: Parameters<typeof reject>[0]) {
  return data(reject(reason), { status });
}

function addLinkIds(change: ProfileChange): ProfileChange {
  return { ...change, links: change.links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() })) };
}

type MergeDeps = { change: ProfileChange; request: MergeRequest; plan: CheckProfileOptions["plan"] };

/** Merges a form with the profile that was saved after the form was opened. `conflicts` are the fields that both changed. */
function mergeProfile({ change, request, plan }: MergeDeps, current: Profile): Merged {
  const [mine, other] = [toDraft(change), toDraft(current)];
  const merge = (maxRows?: Record<string, number>) => {
    const versions = { base: request.parsedBase, mine, other };
    const merged = mergeValues(versions, { choose: request.choicesFor(current.version), ...(maxRows && { maxRows }) });
    if (merged.conflicts.length > 0) return { conflicts: describeConflicts(merged.conflicts, [mine, other]) };
    const checked = checkProfile(merged.values, { plan, stored: current });
    return "change" in checked ? { change: checked.change } : undefined;
  };
  // The links of both sides may be too many together: then the owner chooses one of the lists.
  return merge() ?? merge({ links: 0 }) ?? { conflicts: [] };
}

type Merged = { change: ProfileChange } | { conflicts: ConflictField[] };

function describeConflicts(conflicts: MergeConflict[], drafts: readonly ProfileDraft[]): ConflictField[] {
  const links: ConflictList = {
    label: "Links",
    rows: drafts.flatMap((draft) => draft.links),
    rowLabel: ({ label = "" }) => `Link “${String(label)}”`,
    rowText: ({ label, url }) => [label, url].filter(Boolean).join("\n"),
    rowLine: ({ label }) => String(label),
    fields: linkFields,
  };
  return toConflictFields(conflicts, { fields: fieldTexts, lists: { links } });
}

const fieldTexts: ConflictTexts["fields"] = {
  ...typedTexts,
  handle: { label: "Handle" },
  theme: {
    label: "Theme",
    toText: (theme) => themeChoices.find(({ id }) => id === theme)?.name ?? theme,
  },
  ...mapFields(namesOf(switchLabels), (name) => ({
    label: switchLabels[name],
    toText: (value: string) => (value === "true" ? "On" : "Off"),
  })),
};

const linkFields: ConflictTexts["fields"] = {
  ...linkTexts,
  kind: { label: "Show as" },
  on: { label: "Visibility", toText: (value) => (value === "true" ? "Shown" : "Hidden") },
  from: { ...linkTexts.from, toText: timeText },
  until: { ...linkTexts.until, toText: timeText },
  tab: {
    ...linkTexts.tab,
    toText: (tab) => (tab === "" ? "Automatic" : tab === "professional" ? "Professional" : "Personal"),
  },
  utmSource: { label: "Campaign source" },
  utmMedium: { label: "Campaign medium" },
};

/** In UTC, because the server doesn't know the owner's time zone. */
function timeText(digits: string): string {
  const { from } = toSchedule({ from: digits, until: "" });
  return from === null ? "" : formatDateTime(from, false);
}
