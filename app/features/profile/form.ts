import { z } from "zod";

import type { Plan } from "#app/features/billing/rules.ts";
import { profileLinks } from "#app/features/links/form.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { paragraph, plainLine } from "#app/services/plain-text.ts";

import type { ProfileChange } from "./data.server.ts";
import type { LinkDraft, Problems, ProfileDraft } from "./draft.ts";
import { checkHandle } from "./handle.ts";
import { answerWords } from "./answer-words.ts";
import { messages } from "./messages.ts";
import { countCharacters, maxBio, maxDisplayName, maxTyped, refuseTheme } from "./rules.ts";

type Allowed = { plan: Pick<Plan, "themes" | "canMoveLinks">; stored: Pick<ProfileChange, "theme" | "links"> };

/** What a profile may hold, cleaned, or what is wrong with which field. A link without an `id` is new. */
export function checkProfile(
  typed: ProfileDraft,
  { plan, stored }: Allowed,
): { change: ProfileChange } | { problems: Problems } {
  // First of all: what is far too long is not even cleaned.
  const tooLong = findTooLong(typed);
  if (tooLong) return { problems: tooLong };
  const read = profileForm.safeParse(typed);
  const problems = read.success ? {} : problemsOf(read.error);
  const theme = refuseTheme(plan, { theme: typed.theme, stored: stored.theme });
  if (theme) problems["theme"] = theme;
  Object.assign(problems, plan.canMoveLinks ? {} : movedLinks(typed.links, stored.links));
  return read.success && Object.keys(problems).length === 0 ? { change: read.data } : { problems };
}

export const displayName = z
  .string()
  .transform((typed) => named(plainLine(typed)))
  .refine((name) => countCharacters(name) <= maxDisplayName, messages.nameTooLong);

export const bio = z
  .string()
  .transform(paragraph)
  .refine((text) => countCharacters(text) <= maxBio, messages.bioTooLong);

/** "" is no handle: the profile is at its id. */
const handle = z.string().transform((typed, context) => {
  if (typed.trim() === "") return "";
  const checked = checkHandle(typed);
  if ("handle" in checked) return checked.handle;
  context.addIssue({ code: "custom", message: checked.problem });
  return z.NEVER;
});

const profileForm = z.object({
  displayName,
  bio,
  handle,
  theme: z.string(),
  showBusinessCard: z.boolean(),
  isListed: z.boolean(),
  links: profileLinks,
});

/** A name of signs that nobody can see is no name. */
function named(name: string): string {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : "";
}

function problemsOf(error: z.ZodError): Problems {
  const problems: Problems = {};
  for (const { path, message } of error.issues) problems[path.join(".")] ??= message;
  return problems;
}

/** On Free a link's tab stays as it is stored (a plan that ended takes no choice away), or goes back to the rule. */
function movedLinks(links: readonly LinkDraft[], stored: ProfileChange["links"]): Problems {
  const isMoved = ({ id, tab }: LinkDraft) => tab !== "" && stored.find((link) => link.id === id)?.tab !== tab;
  return Object.fromEntries(
    links.flatMap((link, index) => (isMoved(link) ? [[`links.${index}.tab`, linkMessages.tabIsPremium]] : [])),
  );
}

function findTooLong({ displayName, bio, handle, links }: ProfileDraft): Problems | undefined {
  const isTooLong = (text: string) => text.length > maxTyped;
  const problems: Problems = {};
  if (isTooLong(displayName)) problems["displayName"] = messages.nameTooLong;
  if (isTooLong(bio)) problems["bio"] = messages.bioTooLong;
  if (isTooLong(handle)) problems["handle"] = answerWords.handleTooLong;
  for (const [index, link] of links.entries()) Object.assign(problems, tooLongLink(link, index));
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function tooLongLink({ label, url }: LinkDraft, index: number): Problems {
  return {
    ...(label.length > maxTyped && { [`links.${index}.label`]: linkMessages.nameTooLong }),
    ...(url.length > maxTyped && { [`links.${index}.url`]: linkMessages.invalidUrl }),
  };
}
