import { z } from "zod";

import type { Plan } from "#app/features/billing/rules.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { countEntries, linkLimit, optionalLinkTexts } from "#app/features/links/rules.ts";
import { profileLinks } from "#app/features/links/schema.ts";
import { isLinkImageOf } from "#app/features/uploads/image-urls.ts";
import { mapFields, namesOf } from "#app/services/base/form-fields.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";
import { firstErrors } from "#app/ui/forms/versioned-values.ts";
import type { FieldErrors } from "#app/ui/forms/versioned-values.ts";

import type { Profile, ProfileChange } from "./data.server.ts";
import type { LinkDraft, ProfileDraft } from "./editor/form-data.ts";
import { checkHandle } from "./handle/handle-rules.ts";
import { messages, saveMessages } from "./messages.ts";
import { switchLabels, typedTexts } from "./profile-fields.ts";
import type { TypedTextName } from "./profile-fields.ts";
import { countSavedCharacters, isNameCleared, maxTyped, findThemeError } from "./rules.ts";

export type CheckProfileOptions = {
  plan: Pick<Plan, "themes" | "canMoveLinks" | "maxLinks">;
  stored: Pick<Profile, "ownerId" | "displayName" | "theme" | "links">;
};

/** The cleaned profile, or the errors by field; `isPlanLimit` if another plan would allow all of it. A link without an `id` is new. */
export function checkProfile(
  typed: ProfileDraft,
  { plan, stored }: CheckProfileOptions,
): { change: ProfileChange } | { errors: FieldErrors; isPlanLimit: boolean } {
  // Cleaning very long text would take too long.
  const tooLong = findTooLong(typed);
  if (tooLong) return { errors: tooLong, isPlanLimit: false };
  const read = profileForm.safeParse(typed);
  const errors = read.success ? {} : firstErrors(read.error);
  if (isNameCleared(displayName.safeParse(typed.displayName).data, stored.displayName))
    errors["displayName"] = messages.nameRequired;
  const theme = findThemeError(plan, { theme: typed.theme, stored: stored.theme });
  const limit = linkLimit(plan, countEntries(stored.links).links);
  const ofPlan = {
    ...(read.data && countEntries(read.data.links).links > limit && { links: linkMessages.tooMany(plan.maxLinks) }),
    ...(theme && { theme }),
    ...(plan.canMoveLinks ? {} : findMovedLinks(typed.links, stored.links)),
  };
  Object.assign(errors, findForeignImages(typed.links, stored.ownerId), ofPlan);
  if (read.success && Object.keys(errors).length === 0) return { change: read.data };
  return { errors, isPlanLimit: Object.keys(errors).every((name) => name in ofPlan) };
}

/** How a text that isn't one plain line is cleaned. */
const cleaning: Partial<Record<TypedTextName, (typed: string) => string>> = {
  // Empty without visible characters.
  displayName: (typed) => (/[\p{L}\p{N}\p{P}\p{S}]/u.test(plainLine(typed)) ? plainLine(typed) : ""),
  bio: paragraph,
};

const texts = mapFields(namesOf(typedTexts), (name) => {
  const { maxLength, tooLong } = typedTexts[name];
  return z
    .string()
    .transform(cleaning[name] ?? plainLine)
    .refine((text) => countSavedCharacters(text) <= maxLength, tooLong);
});
export const { displayName, bio } = texts;

/** "" means no handle: the profile is at its id. */
const handle = z.string().transform((typed, context) => {
  if (typed.trim() === "") return "";
  const checked = checkHandle(typed);
  if ("handle" in checked) return checked.handle;
  context.addIssue({ code: "custom", message: checked.problem });
  return z.NEVER;
});

const profileForm = z.object({
  ...texts,
  handle,
  theme: z.string(),
  ...mapFields(namesOf(switchLabels), () => z.boolean()),
  links: profileLinks,
});

/** Errors for links that were moved to another tab on Free, where a tab may only stay as stored or go back to the rule. */
function findMovedLinks(links: readonly LinkDraft[], stored: ProfileChange["links"]): FieldErrors {
  const isMoved = ({ id, tab }: LinkDraft) => tab !== "" && stored.find((link) => link.id === id)?.tab !== tab;
  return Object.fromEntries(
    links.flatMap((link, index) => (isMoved(link) ? [[`links.${index}.tab`, linkMessages.tabIsPremium]] : [])),
  );
}

/** A featured link may name only an image that its owner uploaded. */
function findForeignImages(links: readonly LinkDraft[], ownerId: string): FieldErrors {
  return Object.fromEntries(
    links.flatMap(({ kind, picture }, index) =>
      kind === "featured" && !isLinkImageOf(ownerId, picture)
        ? [[`links.${index}.picture`, linkMessages.imageRequired]]
        : [],
    ),
  );
}

function findTooLong(draft: ProfileDraft): FieldErrors | undefined {
  const errors = listTooLong(draft, tooLongTexts);
  for (const [index, link] of draft.links.entries())
    Object.assign(errors, listTooLong(link, tooLongLinkTexts, `links.${index}.`));
  return Object.keys(errors).length > 0 ? errors : undefined;
}

function listTooLong<Name extends string>(
  typed: Record<NoInfer<Name>, string>,
  messagesOf: Record<Name, string>,
  path = "",
): FieldErrors {
  const tooLong = namesOf(messagesOf).filter((name) => typed[name].length > maxTyped);
  return Object.fromEntries(tooLong.map((name) => [path + name, messagesOf[name]]));
}

const tooLongTexts = {
  ...mapFields(namesOf(typedTexts), (name) => typedTexts[name].tooLong),
  handle: saveMessages.handleTooLong,
};
const tooLongLinkTexts = {
  label: linkMessages.nameTooLong,
  url: linkMessages.invalidUrl,
  alt: linkMessages.altTooLong,
  ...mapFields(namesOf(optionalLinkTexts), (name) => linkMessages.tooLong(optionalLinkTexts[name].maxLength)),
};
