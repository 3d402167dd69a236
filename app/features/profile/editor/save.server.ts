import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { canMoveLinks } from "#app/features/billing/rules.ts";
import { saveProfile } from "#app/features/profile/data.server.ts";
import type { Profile, ProfileChange } from "#app/features/profile/data.server.ts";
import { isSameDraft, readProfileForm, toDraft } from "./form-data.ts";
import type { ProfileDraft } from "./form-data.ts";
import { saveMessages } from "#app/features/profile/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { checkProfile } from "#app/features/profile/schema.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondToSave } from "#app/services/http/save-response.server.ts";
import type { SaveFailure, SaveOutcome } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { FieldErrors, Versioned } from "#app/ui/forms/versioned-values.ts";

import { failureNotice } from "./form-state.ts";
import type { ProfileRejection } from "./form-state.ts";

type Context = Readonly<RouterContextProvider>;

/** Saves the sent form and redirects to the public profile. */
export async function saveProfileForm(context: Context, request: Request) {
  const { sent, isComplete } = readProfileForm(await readForm(request));
  const { id: ownerId } = requireUser(context);
  if (!isComplete) return data<ProfileRejection>({ notice: failureNotice(saveMessages.unreadable) }, { status: 400 });
  return respondToSave<ProfileRejection>(context, {
    record: "profile",
    save: () => updateProfile(context, { ownerId, sent }),
    reject: (failure) => ({
      sent,
      notice: failureNotice(failureMessages[failure]),
    }),
  });
}

const failureMessages: Record<SaveFailure, string> = {
  "disk-full": saveMessages.diskFull,
  "outcome-unknown": saveMessages.outcomeUnknown,
  unexpected: saveMessages.serverError,
};

type SubmittedProfile = { ownerId: string; sent: Versioned<ProfileDraft> };

async function updateProfile(
  context: Context,
  { ownerId, sent }: SubmittedProfile,
): Promise<SaveOutcome<ProfileRejection>> {
  const { db, events, clock, sign } = services(context);
  const now = clock();
  const stored = await loadOwnProfile(context);
  const plan = await findPlan(db, ownerId, now);
  const allowed = { themes: plan.themes, canMoveLinks: canMoveLinks(plan) };
  const checked = checkProfile(sent.values, { plan: allowed, stored });
  if ("errors" in checked) return rejectFields(sent, checked.errors);
  const change = addLinkIds(checked.change);
  const result = await saveProfile({ db, events }, { ownerId, version: sent.version, change, now, sign });
  switch (result.kind) {
    case "saved":
      return saved(change.handle || ownerId);
    case "handle-taken":
      return rejectFields(sent, { handle: saveMessages.handleTaken });
    case "too-many-handles":
      return rejectFields(sent, { handle: saveMessages.tooManyHandles });
    case "gone":
      throw redirect("/auth");
    case "conflict":
      return isAlreadySaved(change, result.current)
        ? saved(change.handle || ownerId)
        : rejectConflict(sent, result.current);
  }
}

/** Leads to the public profile, by the handle if there is one. */
function saved(handleOrId: string) {
  // Public pages are separate documents: the router can't render them into this one.
  const headers = new Headers({ "X-Remix-Reload-Document": "true" });
  return { response: redirectWithToast(`/u/${handleOrId}`, { title: saveMessages.saved, tone: "success" }, headers) };
}

/** A form that is sent twice conflicts with its own save: the second time there is nothing left to do. */
function isAlreadySaved(change: ProfileChange, current: Profile): boolean {
  return isSameDraft(toDraft(change), toDraft(current));
}

function rejectConflict(sent: Versioned<ProfileDraft>, current: Profile) {
  const conflict = { values: toDraft(current), version: current.version };
  return { status: 409, rejection: { sent, conflict } };
}

function rejectFields(sent: Versioned<ProfileDraft>, errors: FieldErrors) {
  return { status: 422, rejection: { sent, errors, notice: failureNotice(saveMessages.refused) } };
}

function addLinkIds(change: ProfileChange): ProfileChange {
  return { ...change, links: change.links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() })) };
}
