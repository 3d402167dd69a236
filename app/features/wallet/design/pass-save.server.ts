import { data } from "react-router";
import type { RouterContextProvider } from "react-router";
import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import { hasPasses } from "#app/features/wallet/data.server.ts";
import { includedDesign } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import { listPassImages } from "#app/features/uploads/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondToSave } from "#app/services/http/save-response.server.ts";
import type { SaveFailure, SaveOutcome } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import type { MergeConflict } from "#app/ui/forms/merge-values.ts";
import { readMergeRequest, readVersion, toConflictFields } from "#app/ui/forms/versioned-values.ts";
import type { ConflictField, MergeRequest, SaveRejection, Versioned } from "#app/ui/forms/versioned-values.ts";

import { passLinkIds, readStoredDesign, writeDesign } from "./design-data.server.ts";
import { messages } from "./messages.ts";
import { isSamePass, orderLinks, readPassForm, toPassDesign, toPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";

/** Why a save was rejected, or the toast after one in the card dialog. */
export type PassSaveResult = SaveRejection<PassFormValues> & { saved?: ToastMessage };

type Context = Readonly<RouterContextProvider>;
type SentForm = { sent: Versioned<PassFormValues>; request: MergeRequest; inDialog: boolean };
type OwnCard = { ownerId: string; id: string };

/** Saves the design of a card's pass. The page is redirected to itself; the card dialog gets the toast as data. */
export async function savePassForm(context: Context, { id, request }: { id: string; request: Request }) {
  const form = await readForm(request);
  const sent = { values: readPassForm(form), version: readVersion(form) };
  const merge = readMergeRequest(form);
  const owner = viewer(context);
  const rejectAll = (text: string): PassSaveResult => reject({ sent, request: merge }, text);
  if (!owner) return data(rejectAll(messages.signedOut), { status: 401 });
  return respondToSave<PassSaveResult>(context, {
    record: "pass design",
    save: () =>
      saveDesign(context, { ownerId: owner.id, id }, { sent, request: merge, inDialog: form.get("from") === "dialog" }),
    reject: (failure) => rejectAll(failureMessages[failure]),
  });
}

async function saveDesign(context: Context, card: OwnCard, form: SentForm): Promise<SaveOutcome<PassSaveResult>> {
  const { db, events, clock } = services(context);
  const plan = await findPlan(services(context), card.ownerId);
  return transact(db, async (trx) => {
    await lockOwner(trx, card.ownerId);
    const found = await findOwnCard(trx, card);
    if (!found) return { status: 404, rejection: reject(form, messages.gone) };
    const linkIds = passLinkIds(found);
    const stored = await readStoredDesign(trx, card.id);
    const other = toPassForm(stored.design, linkIds);
    const merged = mergePass(form, { values: other, version: stored.version }, linkIds);
    if (merged.conflicts.length > 0) {
      const conflict = { version: stored.version, fields: describeConflicts(merged.conflicts) };
      return { status: 409, rejection: { sent: form.sent, base: form.request.base, conflict } };
    }
    const design = toPassDesign(merged.values);
    if (!design || !(await hasOwnImages(trx, card.ownerId, design)))
      return { status: 422, rejection: reject(form, messages.unknownImage) };
    if (isBeyondPlan(plan, design, stored.design))
      return { status: 422, rejection: reject(form, messages.premiumOnly) };
    if (!isSamePass(merged.values, other) || stored.version === 0) {
      await writeDesign(trx, { ...card, design, now: clock() });
      await events.record(trx, { kind: "card.saved", ownerId: card.ownerId, cardId: card.id });
    }
    return saved(context, card.id, form);
  });
}

function saved(context: Context, id: string, { inDialog }: SentForm) {
  const toast = { ...(hasPasses(services(context)) ? messages.updating : messages.saved), tone: "success" } as const;
  if (inDialog) return { status: 200, rejection: { saved: toast } };
  return { response: redirectWithToast(`/cards/${id}/pass`, toast) };
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

/** Whether all uploads of a design are in its owner's library. */
async function hasOwnImages(trx: Trx, ownerId: string, { background, logo }: PassDesign): Promise<boolean> {
  if (background.kind !== "asset" && logo.kind !== "asset") return true;
  const images = await listPassImages(trx, ownerId);
  const isOwn = (kind: "background" | "logo", image: PassDesign["background"] | PassDesign["logo"]) =>
    image.kind !== "asset" || images.some((one) => one.kind === kind && one.keyPrefix === image.key);
  return isOwn("background", background) && isOwn("logo", logo);
}

/** What was chosen on another plan stays, but nothing beyond the plan can be added. */
function isBeyondPlan(plan: Parameters<typeof includedDesign>[0], design: PassDesign, stored: PassDesign): boolean {
  const included = includedDesign(plan, design);
  const isAllowed = (field: "background" | "tint" | "logo") =>
    [included, stored].some((other) => JSON.stringify(other[field]) === JSON.stringify(design[field]));
  return !(isAllowed("background") && isAllowed("tint") && isAllowed("logo"));
}

function describeConflicts(conflicts: MergeConflict[]): ConflictField[] {
  return toConflictFields(conflicts, ({ path }) => ({
    label: labels[path] ?? "Order of the links on the back",
    toText: (value) => {
      if (typeof value === "boolean") return value ? "Shown" : "Not shown";
      if (path === "linkOrder") return "Another order";
      const text = String(value);
      if (text === "card") return "The card's own colors";
      if (text.startsWith("asset:")) return "Your own image";
      return findDefaultImage(text.replace(/^default:/, ""))?.name ?? (text || "None");
    },
  }));
}

const labels: Partial<Record<string, string>> = {
  background: "Background",
  tint: "Color tint",
  logo: "Logo",
  showsEmail: "Email",
  showsPhone: "Phone",
  hasQrLabel: "Address below the QR code",
};

const failureMessages: Record<SaveFailure, string> = {
  "disk-full": messages.diskFull,
  "outcome-unknown": messages.outcomeUnknown,
  unexpected: messages.notSaved,
};

function reject({ sent, request }: Pick<SentForm, "sent" | "request">, text: string): PassSaveResult {
  return { sent, base: request.base, notice: { title: messages.failed, text, tone: "error" } };
}
