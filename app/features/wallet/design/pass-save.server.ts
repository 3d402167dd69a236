import { data } from "react-router";
import type { RouterContextProvider } from "react-router";
import { z } from "zod";

import { findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import { hasPasses } from "#app/features/wallet/data.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import type { WriteFailure } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { readMergeRequest, readVersionedForm, toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type { ConflictTexts, SaveRejection, Versioned, VersionedForm } from "#app/ui/forms/versioned-values.ts";

import { saveDesign } from "./design-data.server.ts";
import { messages } from "./messages.ts";
import { orderLinks, passSwitches, readPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";

/** Why a save was rejected, or the toast after one in the card dialog. */
export type PassSaveResult = SaveRejection<PassFormValues> & { saved?: ToastMessage };

type Context = Readonly<RouterContextProvider>;
type SentForm = VersionedForm<PassFormValues> & { inDialog: boolean };
type OwnCard = { ownerId: string; id: string };

/** Saves the design of a card's pass. The page is redirected to itself; the card dialog gets the toast as data. */
export async function savePassForm(context: Context, { id, request }: { id: string; request: Request }) {
  const form = await readForm(request);
  const submitted = {
    ...readVersionedForm(form, readPassForm(form)),
    request: readMergeRequest(form),
    inDialog: form.get("from") === "dialog",
  };
  const owner = viewer(context);
  if (!owner) return refuse(submitted, 401, messages.signedOut);
  return tryWrite(services(context).log, () => saveForm(context, { ownerId: owner.id, id }, submitted), {
    ...failureMessages,
    refuse: (text, status) => refuse(submitted, status, text),
  });
}

async function saveForm(context: Context, card: OwnCard, form: SentForm) {
  const result = await saveDesign<PassSaveResult>(services(context), card, (stored, linkIds) => {
    const { values, conflicts } = mergePass(form, stored, linkIds);
    if (conflicts.length === 0) return { values };
    const conflict = { version: stored.version, fields: toConflictFields(conflicts, { fields: conflictTexts }) };
    return { refusal: form.reject({ conflict }) };
  });
  switch (result.kind) {
    case "saved":
      return saved(context, card.id, form);
    case "gone":
      return refuse(form, 404, messages.gone);
    case "refused":
      return data(result.refusal, { status: 409 });
    case "unknown-image":
      return refuse(form, 422, messages.unknownImage);
    case "beyond-plan":
      return refuse(form, 422, messages.premiumOnly);
  }
}

function saved(context: Context, id: string, { inDialog }: SentForm) {
  const toast = { ...(hasPasses(services(context)) ? messages.updating : messages.saved), tone: "success" } as const;
  return inDialog ? data<PassSaveResult>({ saved: toast }) : redirectWithToast(`/cards/${id}/pass`, toast);
}

/** Merges the form with what another tab may have saved since it was opened. `linkIds`: of the card now, which another tab may have changed. */
function mergePass({ sent, request }: SentForm, stored: Versioned<PassFormValues>, linkIds: readonly string[]) {
  const withLinks = <Form extends { linkOrder: string[] }>(form: Form) => ({
    ...form,
    linkOrder: orderLinks(linkIds, form.linkOrder),
  });
  const { data: opened } = baseSchema.safeParse(request.parsedBase);
  const base = opened ? withLinks(opened) : sent.version === stored.version ? stored.values : undefined;
  return mergeValues(
    { base, mine: withLinks(sent.values), other: stored.values },
    { choose: request.choicesFor(stored.version) },
  );
}

const baseSchema = z.looseObject({ linkOrder: z.array(z.string()) });

const conflictTexts: ConflictTexts["fields"] = {
  ...passSwitches,
  background: { label: "Background", toText: imageText },
  tint: { label: "Color tint", toText: imageText },
  logo: { label: "Logo", toText: imageText },
  linkOrder: { label: "Order of the links on the back", toText: () => "Another order" },
};

function imageText(text: string): string {
  if (text === "card") return "The card’s own colors";
  if (text.startsWith("asset:")) return "Your own image";
  return findDefaultImage(text.replace(/^default:/, ""))?.name ?? (text || "None");
}

const failureMessages: WriteFailure<string> = {
  event: "pass design not saved",
  diskFull: messages.diskFull,
  outcomeUnknown: messages.outcomeUnknown,
  unexpected: messages.notSaved,
};

function refuse(form: SentForm, status: number, text: string) {
  return data<PassSaveResult>(form.reject({ notice: { title: messages.failed, text, tone: "error" } }), { status });
}
