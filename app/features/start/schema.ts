import { parseCard } from "#app/features/cards/schema.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { profileLinks } from "#app/features/links/schema.ts";
import { withScheme } from "#app/features/links/rules.ts";
import { findSite, suggestLabel } from "#app/features/links/site-data.ts";
import { checkHandle, handleFromName } from "#app/features/profile/handle/handle-rules.ts";
import { messages as profileMessages } from "#app/features/profile/messages.ts";
import { maxTyped } from "#app/features/profile/rules.ts";
import { displayName } from "#app/features/profile/schema.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

/** The first step as it was typed. `seed`: the seed of a drawn avatar, or "". `isSuggested`: the page suggested the handle. */
export type NameValues = { displayName: string; handle: string; isSuggested: boolean; seed: string };
export type NameErrors = { displayName?: string; handle?: string; seed?: string };

export function readNameForm(form: FormFields): NameValues {
  const handle = fieldText(form, "handle");
  return {
    displayName: fieldText(form, "displayName"),
    handle,
    isSuggested: form.get("suggestion") === handle.trim(),
    seed: fieldText(form, "seed"),
  };
}

export type NameChange = { displayName: string; handle: string; isSuggested: boolean; seed: string | undefined };

/** The cleaned first step, or the errors by field. A suggested handle is made from the name; it may be taken. */
export function checkName(typed: NameValues): { change: NameChange } | { errors: NameErrors } {
  if (typed.displayName.length > maxTyped) return { errors: { displayName: profileMessages.nameTooLong } };
  const name = displayName.safeParse(typed.displayName);
  const errors: NameErrors = {};
  if (!name.success) errors.displayName = profileMessages.nameTooLong;
  else if (name.data === "") errors.displayName = profileMessages.nameRequired;
  const handle = checkOptionalHandle(typed);
  if ("problem" in handle) errors.handle = handle.problem;
  if (!name.success || "problem" in handle || Object.keys(errors).length > 0) return { errors };
  const seed = isAvatarSeed(typed.seed) ? typed.seed : undefined;
  return { change: { displayName: name.data, handle: handle.handle, isSuggested: typed.isSuggested, seed } };
}

function checkOptionalHandle({ handle, displayName: name, isSuggested }: NameValues) {
  if (isSuggested) return { handle: handleFromName(name) };
  return handle.trim() === "" ? { handle: "" } : checkHandle(handle.slice(0, maxTyped));
}

/** The seed of an avatar that this page offers. */
export function isAvatarSeed(text: string): boolean {
  return /^[a-z0-9]{8,16}$/.test(text);
}

/** The second step as it was typed. */
export type ContactValues = Record<ContactField, string>;
export type ContactErrors = Partial<ContactValues>;
export type ContactField = (typeof contactFields)[number];

const contactFields = ["title", "company", "email", "phone", "link"] as const;

/** Undefined for a form without all of its fields. */
export function readContactForm(form: FormFields): ContactValues | undefined {
  if (contactFields.some((name) => typeof form.get(name) !== "string")) return undefined;
  const [title = "", company = "", email = "", phone = "", link = ""] = contactFields.map((name) =>
    fieldText(form, name),
  );
  return { title, company, email, phone, link };
}

/** A card with the fields of the second step changed, or the errors by field. `linkId` identifies the step's link on the card. */
export function checkContact(
  card: CardInput,
  { typed, linkId, maxLinks }: { typed: ContactValues; linkId: string; maxLinks: number },
): { change: CardInput } | { errors: ContactErrors } {
  const { title: profession, company, email, phone } = typed;
  const toLink = ({ url, label }: { url: string; label: string }) => ({ id: linkId, name: label, url });
  const links = withLink(card.links, { id: linkId, typed: typed.link, maxLinks, toLink });
  const parsed = parseCard({ ...card, profession, company, email, phone, links });
  const isLinkRefused = !isSavedLink(typed.link);
  if ("change" in parsed && !isLinkRefused) return parsed;
  const { profession: title, ...others } = "errors" in parsed ? parsed.errors : {};
  const link =
    (isLinkRefused || Object.keys(others).some((field) => field.startsWith("links"))) && linkMessages.invalidUrl;
  return { errors: { ...others, ...(title && { title }), ...(link && { link }) } };
}

/** Whether a typed link is empty or can be saved. A link that a full card doesn't get is saved on the profile. */
function isSavedLink(typed: string): boolean {
  if (typed.length > maxTyped) return false;
  const url = cleanUrl(typed);
  return profileLinks.safeParse([{ label: suggestLabel(url), url }]).success;
}

/** Cleaning very long text would take too long. */
function cleanUrl(typed: string): string {
  return typed.length > maxTyped ? typed : withScheme(plainLine(typed));
}

type LinkChange<Link> = {
  id: string;
  /** As typed; "" removes the link. */
  typed: string;
  /** Of the plan. */
  maxLinks: number;
  /** The link to an address, instead of `link` if there was one. */
  toLink: (address: { url: string; label: string }, link: Link | undefined) => Link;
};

/**
 * The list with its link `id` changed, or added at the start, named after its site. A full list, and one that has the address, stay as they
 * are.
 */
export function withLink<Link extends { id: string; url: string }>(
  links: readonly Link[],
  { id, typed, maxLinks, toLink }: LinkChange<Link>,
): Link[] {
  const url = cleanUrl(typed);
  if (url === "") return links.filter((link) => link.id !== id);
  if (links.some((link) => link.url === url)) return [...links];
  const old = links.find((link) => link.id === id);
  const changed = toLink({ url, label: nameLink(url) }, old);
  if (old) return links.map((link) => (link === old ? changed : link));
  return links.length >= maxLinks ? [...links] : [changed, ...links];
}

/** "https://ada.example/portfolio/" -> "Portfolio", by which it counts as professional. Otherwise the name of the site, or the host. */
export function nameLink(url: string): string {
  const path = findSite(url) ? "" : (URL.parse(url)?.pathname ?? "");
  const page = /\/([a-z]+)(?:\.html?)?\/?$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return pageNames.get(page) ?? suggestLabel(url);
}

const pageNames = new Map([
  ["portfolio", "Portfolio"],
  ["resume", "Resume"],
  ["cv", "Resume"],
  ["blog", "Blog"],
  ["shop", "Shop"],
  ["store", "Store"],
  ["projects", "Projects"],
  ["work", "Work"],
]);
