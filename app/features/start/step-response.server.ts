import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { signedInPath } from "#app/services/auth/return-to.ts";
import { storeAvatar } from "#app/features/avatar/avatar-image.server.ts";
import { findAvatarOptions } from "#app/features/avatar/data.server.ts";
import { suggestHandle } from "#app/features/profile/handle/handle-data.server.ts";
import { handleFromName, handleReserved } from "#app/features/profile/handle/handle-rules.ts";
import { saveMessages } from "#app/features/profile/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { uploadLimit } from "#app/features/uploads/rules.ts";
import { formatWait } from "#app/services/base/format.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

import { drawnAvatarOptions, randomSeeds, readSeeds } from "./avatar-drawing.ts";
import { findDraftCard, redirectAndClearDraftCard, withoutTexts } from "./draft-card.server.ts";
import type { DraftCard } from "./draft-card.server.ts";
import { failureMessages, messages } from "./messages.ts";
import { checkName, readContactForm, readNameForm } from "./schema.ts";
import type { ContactErrors, ContactValues, NameChange, NameErrors, NameValues } from "./schema.ts";
import { findStart, saveName, saveStartCard } from "./start-data.server.ts";

type Context = Readonly<RouterContextProvider>;

/** The first step with what was typed. Without `errors` when other avatars were requested. `freeHandle`: instead of one that is taken or reserved. */
export type NameResult = {
  values: NameValues;
  seeds: string[];
  errors?: NameErrors;
  freeHandle?: string;
  notice?: string;
};

/**
 * Saves the first step: `continue` leads to the next one, `finish` makes the card, `randomize` offers other avatars. The draft's title and company are
 * published only by a form that showed them.
 */
export async function saveNameStep(context: Context, request: Request) {
  const form = await readForm(request);
  const values = readNameForm(form);
  const seeds = readSeeds(fieldText(form, "seeds"));
  const intent = fieldText(form, "intent");
  if (intent === "randomize") return data<NameResult>({ values: { ...values, seed: "" }, seeds: randomSeeds() });
  const refuse = (status: number, reason: Omit<NameResult, "values" | "seeds">) =>
    data<NameResult>({ values, seeds, ...reason }, { status });
  const refuseFields = async (errors: NameErrors, status = 422) =>
    refuse(status, { errors, freeHandle: await suggestFreeHandle(context, { values, errors }) });
  const checked = checkName(values);
  if ("errors" in checked) return refuseFields(checked.errors);
  const save = async () => {
    const { ownerId } = await loadOwnProfile(context);
    const refused = await tryToSaveName(context, ownerId, checked.change);
    if (refused) return refuseFields(refused.errors, refused.status);
    if (intent !== "finish") return redirect("/start/contact");
    const found = await findDraftCard(context, request);
    const draft = form.has("draft") ? found : withoutTexts(found);
    const notice = await createStartCard(context, draft);
    if (notice !== undefined) return refuse(429, { notice });
    const isAllUsed = draft?.title === found?.title && draft?.company === found?.company;
    return isAllUsed ? redirectAndClearDraftCard(context, "/start/live") : redirect("/start/live");
  };
  const { log } = services(context);
  return tryWrite(log, save, { ...failureMessages, refuse: (notice, status) => refuse(status, { notice }) });
}

/** A handle to use instead of one that is taken or reserved; "" for none. */
function suggestFreeHandle(context: Context, { values, errors }: { values: NameValues; errors: NameErrors }) {
  const { db } = services(context);
  const isTaken = errors.handle === saveMessages.handleTaken;
  if (!isTaken && errors.handle !== handleReserved) return "";
  const request = { ownerId: requireUser(context).id, like: handleFromName(values.displayName) };
  return suggestHandle(db, { ...request, handle: isTaken ? values.handle.trim().toLowerCase() : "" });
}

/** Undefined when everything is saved. */
async function tryToSaveName(
  context: Context,
  ownerId: string,
  change: NameChange,
): Promise<{ errors: NameErrors; status: number } | undefined> {
  const all = services(context);
  const { kind } = await saveName(all, ownerId, change);
  if (kind === "gone") throw redirect("/auth");
  if (kind === "busy") return { errors: { displayName: messages.busy }, status: 409 };
  if (kind === "handle-taken") return { errors: { handle: saveMessages.handleTaken }, status: 422 };
  if (kind === "too-many-handles") return { errors: { handle: saveMessages.tooManyHandles }, status: 422 };
  return saveAvatar(context, ownerId, change.seed);
}

/** A drawn avatar is an upload: it takes as much work, and as much storage. */
async function saveAvatar(context: Context, ownerId: string, seed: string | undefined) {
  const all = services(context);
  if (seed === undefined || (await findAvatarOptions(all.db, ownerId))?.seed === seed) return undefined;
  const limited = await all.rateLimits.consume([{ limit: uploadLimit, subject: ownerId }]);
  if (limited) {
    return { errors: { seed: messages.tooManyAvatars }, status: 429 };
  }
  const stored = await storeAvatar(all, { ownerId, options: drawnAvatarOptions(seed) });
  return stored.kind === "refused" ? { errors: { seed: messages.avatarFailed }, status: stored.status } : undefined;
}

/** Makes the card without the second step. Returns why it can't. */
async function createStartCard(context: Context, draft: DraftCard | undefined): Promise<string | undefined> {
  const all = services(context);
  const profile = await loadOwnProfile(context);
  const { step } = await findStart(all.db, profile);
  if (step === "done") return undefined;
  const result = await saveStartCard(all, { ownerId: profile.ownerId, contact: undefined, draft });
  if (result.kind === "gone") throw redirect("/auth");
  return result.kind === "rate-limited" ? messages.tooManyNew(formatWait(result.until, all.clock())) : undefined;
}

/** The second step with what was typed. */
export type ContactResult = { values: ContactValues | undefined; errors?: ContactErrors; notice?: string };

/** Saves the second step; `skip` makes the card without it, and leaves the draft's texts for a later visit. */
export async function saveContactStep(context: Context, request: Request) {
  const form = await readForm(request);
  const values = readContactForm(form);
  // No browser sends it like this.
  if (!values) throw data(null, { status: 400 });
  const all = services(context);
  const refuse = (status: number, reason: Omit<ContactResult, "values">) =>
    data<ContactResult>({ values, ...reason }, { status });
  const save = async () => {
    const profile = await loadOwnProfile(context);
    const { step, card } = await findStart(all.db, profile);
    if (step === "done" && !card) return redirectAndClearDraftCard(context, signedInPath);
    const isSkipped = fieldText(form, "intent") === "skip";
    const contact = isSkipped ? undefined : values;
    const draft = withoutTexts(await findDraftCard(context, request));
    const result = await saveStartCard(all, { ownerId: profile.ownerId, contact, draft });
    switch (result.kind) {
      case "saved":
        return isSkipped ? redirect("/start/live") : redirectAndClearDraftCard(context, "/start/live");
      case "invalid":
        return refuse(422, { errors: result.errors });
      case "busy":
        return refuse(409, { notice: messages.busy });
      case "rate-limited":
        return refuse(429, { notice: messages.tooManyNew(formatWait(result.until, all.clock())) });
      case "limit":
        return redirectAndClearDraftCard(context, signedInPath);
      case "gone":
        throw redirect("/auth");
    }
  };
  return tryWrite(all.log, save, { ...failureMessages, refuse: (notice, status) => refuse(status, { notice }) });
}
