import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { requestFacts, services, viewer } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import { readForm } from "#app/services/form-body.ts";

import { isSameCard, readText, textOf } from "./card-text.ts";
import type { CardText } from "./card-text.ts";
import { createCard, saveCard } from "./data.server.ts";
import type { CardChange } from "./data.server.ts";
import { failureOf, readVersion } from "./editing.ts";
import type { SaveAnswer } from "./editing.ts";
import { cardIdOf } from "./card-id.server.ts";
import { readCard, readFormId } from "./form.ts";
import { messages } from "./messages.ts";

type Context = Readonly<RouterContextProvider>;

type Save = {
  /** Undefined for a new card. */
  id: string | undefined;
  request: Request;
  /**
   * A card hangs on its owner's profile; theirs is made here when this form is the first thing they send. Throws where to sign in when
   * their account is gone.
   */
  makeProfile: () => Promise<unknown>;
};

/** What a form asked for, and who sent it. */
type Sent = { ownerId: string; form: FormData; typed: CardText; version: number };

/** Saves the card of the form that was sent, or makes it where there is no `id`; or answers why not, with all that was typed. */
export async function answerSave(context: Context, { id, request, makeProfile }: Save) {
  const form = await readForm(request);
  const typed = readText(form);
  const version = readVersion(form);
  const owner = viewer(context);
  if (!owner) return refuse(401, { typed, version, failure: failureOf(messages.saveFailed(messages.signedOut)) });
  const read = readCard(typed);
  if ("errors" in read) return refuse(422, { typed, version, errors: read.errors });
  const sent = { ownerId: owner.id, form, typed, version };
  try {
    if (id !== undefined) return await save(context, { ...sent, id }, read.change);
    await makeProfile();
    return await create(context, sent, read.change);
  } catch (error) {
    // Their account was deleted meanwhile.
    if (error instanceof Response) throw error;
    // Not for the crash page: what was typed would go with it.
    services(context).log.error({ err: error, id: context.get(requestFacts).id }, "card not saved");
    if (!isDiskFull(error)) return refuse(500, { typed, version, failure: failureOf(messages.saveFailedUnexpected) });
    return refuse(503, { typed, version, failure: failureOf(messages.saveFailed(messages.diskFull)) });
  }
}

/** Where somebody goes whose plan has no room for one more card. */
export function sendToPricing() {
  return redirectWithToast("/pricing", { ...messages.freeCardLimit, tone: "info" }, reloadDocument());
}

async function create(context: Context, sent: Sent, change: CardChange) {
  const { db, clock } = services(context);
  const { ownerId } = sent;
  const now = clock();
  const plan = await findPlan(db, ownerId, now);
  const made = await createCard(db, { ownerId, plan, id: cardIdOf(ownerId, readFormId(sent.form)), change, now });
  if (made.kind === "gone") throw redirect("/auth");
  if (made.kind === "limit") return sendToPricing();
  if (made.kind === "created") return done(context, { ownerId, id: made.id, toast: messages.created });
  const { id } = made.current;
  if (isSameCard(made.current, change)) return done(context, { ownerId, id, toast: messages.created });
  // Somebody went back to the form that made a card, and means that card.
  return save(context, { ...sent, id }, change);
}

/** An unknown card and somebody else's are answered alike. */
async function save(context: Context, { ownerId, typed, version, id }: Sent & { id: string }, change: CardChange) {
  const { db, clock } = services(context);
  const saved = await saveCard(db, { ownerId, id, version, change, now: clock() });
  if (saved.kind === "missing") {
    return refuse(404, { typed, version, failure: failureOf(messages.saveFailed(messages.gone)) });
  }
  if (saved.kind === "conflict" && !isSameCard(saved.current, change)) {
    return refuse(409, { typed, version, other: { text: textOf(saved.current), version: saved.current.version } });
  }
  return done(context, { ownerId, id, toast: messages.updated });
}

function done(
  context: Context,
  { ownerId, id, toast }: { ownerId: string; id: string; toast: { title: string; text: string } },
) {
  services(context).bus.publish({ kind: "owner-changed", ownerId });
  return redirectWithToast(`/cards/edit/${id}`, { ...toast, tone: "success" });
}

function refuse(status: number, answer: SaveAnswer) {
  return data(answer, { status });
}

/** Pages that run no script are documents of their own: the router may not draw one into this page. */
function reloadDocument() {
  return new Headers({ "X-Remix-Reload-Document": "true" });
}
