import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { readFormValues, toFormErrors, toUncheckedCard } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import { redirectAtCardLimit } from "#app/features/cards/list/list-response.server.ts";
import { messages, serverMessages } from "#app/features/cards/messages.ts";
import { parseCard, readFormId } from "#app/features/cards/schema.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { formatWait } from "#app/services/base/format.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import type { WriteFailure } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { readMergeRequest, readVersionedForm } from "#app/ui/forms/versioned-values.ts";
import type { FieldErrors } from "#app/ui/forms/versioned-values.ts";

import { saveCardChange } from "./card-save.server.ts";
import type { StoredName } from "./card-save.server.ts";
import { errorNotice } from "./form-state.ts";

type CardSaveRequest = {
  /** Undefined for a new card. */
  id: string | undefined;
  /** Of the page, which is shown again: "?tab=design". */
  query: string;
  request: Request;
  profile: OwnerProfile;
};

/** The profile of the card's owner, whose name the card's form also edits. */
type OwnerProfile = StoredName & {
  /** Creates it, which a new card needs, when there is none. Throws a redirect when the account was deleted. */
  ensure: () => Promise<unknown>;
  /** The cleaned name, or why it can't be saved. */
  checkName: (typed: string) => Promise<{ name: string } | { error: string }>;
};

/** Saves the card that the form describes, or creates it when there is no `id`. The name in it is saved in the same transaction. */
export async function saveCardForm(
  context: Readonly<RouterContextProvider>,
  { id, query, request, profile }: CardSaveRequest,
) {
  const form = await readForm(request);
  const { sent, reject } = readVersionedForm(form, readFormValues(form));
  const owner = viewer(context);
  const refuse = (status: number, reason: Parameters<typeof reject>[0]) => data(reject(reason), { status });
  if (!owner) return refuse(401, noticeOf(messages.signedOut));
  const all = services(context);
  const save = async () => {
    const checked = await checkForm(sent.values, { hasName: form.has("display_name"), profile });
    if ("errors" in checked) return refuse(422, checked);
    if (id === undefined) await profile.ensure();
    const cardId = id ?? deriveCardId(owner.id, readFormId(form));
    const result = await saveCardChange(all, {
      ...checked,
      ownerId: owner.id,
      id: cardId,
      isNew: id === undefined,
      isForAll: sent.values.all_cards,
      version: sent.version,
      request: readMergeRequest(form),
      profile,
    });
    switch (result.kind) {
      case "created":
      case "updated": {
        const isNew = result.kind === "created";
        const { title, text } = isNew ? serverMessages.created : serverMessages.updated;
        const texts = [
          text,
          !isNew && result.others > 0 && serverMessages.alsoUpdated(result.others),
          result.isAccentKept && serverMessages.accentNotSaved,
        ];
        // A new card is there to be shared.
        const path = `/cards/edit/${cardId}${isNew ? "?tab=share" : query}`;
        return redirectWithToast(path, { title, text: texts.filter(Boolean).join(" "), tone: "success" });
      }
      case "conflict":
        return refuse(409, { conflict: result.conflict });
      case "too-many-links":
        return refuse(422, { errors: { links: linkMessages.tooMany(result.max) } });
      case "missing":
        // Another owner's card is as unknown as one that never existed.
        return refuse(404, noticeOf(messages.gone));
      case "rate-limited":
        return refuse(429, noticeOf(serverMessages.tooManyNew(formatWait(result.until, all.clock()))));
      case "limit":
        throw redirectAtCardLimit(context, result.plan);
      case "gone":
        throw redirect("/auth");
    }
  };
  return tryWrite(all.log, save, {
    ...failureMessages,
    refuse: (text, status) => refuse(status, { notice: errorNotice(text) }),
  });
}

type CheckOptions = { hasName: boolean; profile: OwnerProfile };

async function checkForm(
  values: CardFormValues,
  { hasName, profile }: CheckOptions,
): Promise<{ change: CardInput; displayName: string | undefined } | { errors: FieldErrors }> {
  const parsed = parseCard(toUncheckedCard(values));
  const name = hasName ? await profile.checkName(values.display_name) : { name: undefined };
  const errors = {
    ...("errors" in parsed && toFormErrors(parsed.errors)),
    ...("error" in name && { display_name: name.error }),
  };
  if ("errors" in parsed || "error" in name) return { errors };
  return { change: parsed.change, displayName: name.name };
}

const failureMessages: WriteFailure<string> = {
  event: "card not saved",
  diskFull: messages.saveFailed(serverMessages.diskFull),
  outcomeUnknown: serverMessages.saveOutcomeUnknown,
  unexpected: serverMessages.saveFailedUnexpected,
};

function noticeOf(reason: string) {
  return { notice: errorNotice(messages.saveFailed(reason)) };
}
