import { findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";
import { fieldText, mapFields, namesOf } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

/** What the form of a pass holds. `background` is "card", "default:washi" or "asset:<key>"; `logo` is "none", "default" or "asset:<key>". */
export type PassFormValues = Record<keyof typeof passSwitches, boolean> & {
  background: string;
  /** "#3a5f8c", or "" for none. */
  tint: string;
  logo: string;
  /** The ids of all links of the card, in their order on the back. */
  linkOrder: string[];
};

export function toPassForm(design: PassDesign, linkIds: readonly string[]): PassFormValues {
  const { background, logo } = design;
  return {
    ...design,
    background: background.kind === "card" ? "card" : `${background.kind}:${idOf(background)}`,
    logo: logo.kind === "asset" ? `asset:${logo.key}` : logo.kind,
    linkOrder: orderLinks(linkIds, design.linkOrder),
  };
}

/** All links of the card: those that `order` names, then the others. */
export function orderLinks(linkIds: readonly string[], order: readonly string[]): string[] {
  const named = [...new Set(order)].filter((id) => linkIds.includes(id));
  return [...named, ...linkIds.filter((id) => !named.includes(id))];
}

function idOf(background: Exclude<PassDesign["background"], { kind: "card" }>): string {
  return background.kind === "default" ? background.id : background.key;
}

const toShown = (value: string) => (value === "true" ? "Shown" : "Not shown");

/** The boxes of the form: their names there, and their labels. */
export const passSwitches = {
  showsEmail: { input: "shows_email", label: "Email", toText: toShown },
  showsPhone: { input: "shows_phone", label: "Phone", toText: toShown },
  hasQrLabel: { input: "has_qr_label", label: "Link under the QR code", toText: toShown },
};
export const passSwitchNames = namesOf(passSwitches);

/** Reads the form. Each link has a field with its position, which need not be unique. */
export function readPassForm(form: FormFields): PassFormValues {
  const positions: { id: string; position: number }[] = [];
  for (const [name, value] of form)
    if (name.startsWith(positionPrefix) && positions.length < maxLinkIds)
      positions.push({ id: name.slice(positionPrefix.length), position: Number(value) || 0 });
  return {
    background: fieldText(form, "background"),
    tint: form.has("has_tint") ? fieldText(form, "tint").toLowerCase() : "",
    // An unchecked box is not sent.
    logo: fieldText(form, "logo") || fieldText(form, "own_logo") || "none",
    ...mapFields(passSwitchNames, (name) => form.has(passSwitches[name].input)),
    linkOrder: positions.toSorted((a, b) => a.position - b.position).map(({ id }) => id),
  };
}

/** The name of the field with a link's position. */
export function positionName(linkId: string): string {
  return positionPrefix + linkId;
}

const positionPrefix = "position.";
const maxLinkIds = 100;

/** The design that a form describes; undefined for values that our form never sends. */
export function toPassDesign(values: PassFormValues): PassDesign | undefined {
  const { tint } = values;
  const background = readBackground(values.background);
  const logo = readLogo(values.logo);
  if (!background || !logo || !isTint(tint)) return undefined;
  return { ...values, background, tint, logo };
}

/** Undefined for an image that doesn't exist. Whose an upload is, the library knows. */
export function readBackground(text: string): PassDesign["background"] | undefined {
  if (text === "card") return { kind: "card" };
  const [kind, value] = splitKind(text);
  if (kind === "default") return findDefaultImage(value) && { kind, id: value };
  return kind === "asset" && value !== "" ? { kind, key: value } : undefined;
}

export function readLogo(text: string): PassDesign["logo"] | undefined {
  if (text === "none" || text === "default") return { kind: text };
  const [kind, value] = splitKind(text);
  return kind === "asset" && value !== "" ? { kind, key: value } : undefined;
}

function splitKind(text: string): [kind: string, value: string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export function isTint(text: string): text is HexColor | "" {
  return /^(?:#[\da-f]{6})?$/.test(text);
}

export function isSamePass(one: PassFormValues, other: PassFormValues): boolean {
  return namesOf(one).every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
