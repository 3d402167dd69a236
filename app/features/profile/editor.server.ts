import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { requestFacts, services, member } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import { readForm } from "#app/services/form-body.ts";

import { saveProfile } from "./data.server.ts";
import type { Profile, ProfileChange } from "./data.server.ts";
import { draftOf, isSameDraft, readDraft } from "./draft.ts";
import type { SaveAnswer, Stored } from "./editing.ts";
import { checkProfile } from "./form.ts";
import { answerWords } from "./answer-words.ts";
import { messages } from "./messages.ts";
import { loadOwnProfile } from "./own-profile.server.ts";

type Context = Readonly<RouterContextProvider>;

/** Saves the form that was sent and leads to the public profile; or answers why not, with all that was typed. */
export async function answerSave(context: Context, request: Request) {
  const { typed: draft, version, isWhole } = readDraft(await readForm(request));
  const typed = { draft, version };
  const owner = member(context);
  if (!isWhole) return refuse(400, { notice: failed(answerWords.unreadable) });
  try {
    const answer = await save(context, { ownerId: owner.id, typed });
    if (answer) return answer;
  } catch (error) {
    // Their account was deleted meanwhile.
    if (error instanceof Response) throw error;
    // Not for the crash page: what was typed would go with it.
    const { log } = services(context);
    log.error({ err: error, id: context.get(requestFacts).id }, "profile not saved");
    const isFull = isDiskFull(error);
    return refuse(isFull ? 503 : 500, { notice: failed(isFull ? answerWords.noRoom : answerWords.broken), typed });
  }
  services(context).bus.publish({ kind: "owner-changed", ownerId: owner.id });
  // Public pages are documents of their own: the router may not draw one into this page.
  const headers = new Headers({ "X-Remix-Reload-Document": "true" });
  return redirectWithToast(`/u/${owner.id}`, { title: answerWords.saved, tone: "success" }, headers);
}

/** The refusal of a save, or nothing when it is done. */
async function save(context: Context, { ownerId, typed }: { ownerId: string; typed: Stored }) {
  const { db, clock, sign } = services(context);
  const now = clock();
  const stored = await loadOwnProfile(context);
  const checked = checkProfile(typed.draft, { plan: await findPlan(db, ownerId, now), stored });
  if ("problems" in checked) return refused(typed, checked.problems);
  const change = withIds(checked.change);
  const result = await saveProfile(db, { ownerId, version: typed.version, change, now, sign });
  switch (result.kind) {
    case "saved":
      return undefined;
    case "handle-taken":
      return refused(typed, { handle: answerWords.handleTaken });
    case "too-many-handles":
      return refused(typed, { handle: answerWords.tooManyHandles });
    case "gone":
      throw redirect("/auth");
    case "conflict":
      return isSaved(change, result.current) ? undefined : conflict(typed, result.current);
  }
}

/** A form that was sent twice meets its own save: the second time there is nothing left to do. */
function isSaved(change: ProfileChange, current: Profile): boolean {
  return isSameDraft(draftOf(change), draftOf(current));
}

function conflict(typed: Stored, current: Profile) {
  const other = { draft: draftOf(current), version: current.version };
  return refuse(409, { notice: messages.conflict, typed, other });
}

function refused(typed: Stored, problems: SaveAnswer["problems"]) {
  return refuse(422, { notice: failed(answerWords.refused), typed, problems });
}

function refuse(status: number, answer: SaveAnswer) {
  return data(answer, { status });
}

function failed(text: string) {
  return { title: messages.saveFailed, text };
}

function withIds(change: ProfileChange): ProfileChange {
  return { ...change, links: change.links.map((link) => ({ ...link, id: link.id || crypto.randomUUID() })) };
}
