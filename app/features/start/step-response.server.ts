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
import type { FormFields } from "#app/services/base/form-fields.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondToSave } from "#app/services/http/save-response.server.ts";
import type { SaveOutcome } from "#app/services/http/save-response.server.ts";

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
  const refuse = async (errors: NameErrors, status = 422) => {
    const freeHandle = await suggestFreeHandle(context, { values, errors });
    return { status, rejection: { values, seeds, errors, freeHandle } };
  };
  const checked = checkName(values);
  if ("errors" in checked) {
    const { rejection, status } = await refuse(checked.errors);
    return data<NameResult>(rejection, { status });
  }
  return respondToSave<NameResult>(context, {
    record: "profile",
    save: async () => {
      const { ownerId } = await loadOwnProfile(context);
      const refused = await tryToSaveName(context, ownerId, checked.change);
      if (refused) return refuse(refused.errors, refused.status);
      if (intent !== "finish") return { response: redirect("/start/contact") };
      const found = await findDraftCard(context, request);
      const draft = form.has("draft") ? found : withoutTexts(found);
      const notice = await createStartCard(context, draft);
      if (notice !== undefined) return { status: 429, rejection: { values, seeds, notice } };
      const isAllUsed = draft?.title === found?.title && draft?.company === found?.company;
      return {
        response: isAllUsed ? await redirectAndClearDraftCard(context, "/start/live") : redirect("/start/live"),
      };
    },
    reject: (failure) => ({ values, seeds, notice: failureMessages[failure] }),
  });
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
  return respondToSave<ContactResult>(context, {
    record: "card",
    save: () => tryToSaveContact(context, { request, form, values }),
    reject: (failure) => ({ values, notice: failureMessages[failure] }),
  });
}

async function tryToSaveContact(
  context: Context,
  { request, form, values }: { request: Request; form: FormFields; values: ContactValues },
): Promise<SaveOutcome<ContactResult>> {
  const all = services(context);
  const profile = await loadOwnProfile(context);
  const { step, card } = await findStart(all.db, profile);
  if (step === "done" && !card) return { response: await redirectAndClearDraftCard(context, signedInPath) };
  const isSkipped = fieldText(form, "intent") === "skip";
  const contact = isSkipped ? undefined : values;
  const draft = withoutTexts(await findDraftCard(context, request));
  const result = await saveStartCard(all, { ownerId: profile.ownerId, contact, draft });
  switch (result.kind) {
    case "saved":
      return {
        response: isSkipped ? redirect("/start/live") : await redirectAndClearDraftCard(context, "/start/live"),
      };
    case "invalid":
      return { status: 422, rejection: { values, errors: result.errors } };
    case "busy":
      return { status: 409, rejection: { values, notice: messages.busy } };
    case "rate-limited":
      return { status: 429, rejection: { values, notice: messages.tooManyNew(formatWait(result.until, all.clock())) } };
    case "limit":
      return { response: await redirectAndClearDraftCard(context, signedInPath) };
    case "gone":
      throw redirect("/auth");
  }
}
