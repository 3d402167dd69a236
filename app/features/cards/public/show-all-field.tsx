import { optionalTexts } from "#app/features/cards/card-fields.ts";
import type { CardViewModel } from "#app/features/cards/card-view-model.ts";

/** Clamps a long text to three lines while the box after it isn't checked. Print shows all. */
const clampCss =
  "@media screen{" +
  ".clamp{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:3}" +
  ":has(>.all>:checked) .clamp{-webkit-line-clamp:none}}" +
  ".all{position:relative;display:inline-flex;align-items:center;gap:6px;min-height:44px;color:var(--muted);font-size:.875rem;cursor:pointer}" +
  ".all:focus-within{outline:2px solid var(--text)}" +
  ".all>input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:inherit}" +
  '.all:after{content:"\\25be"}' +
  ".all:has(:checked):after{transform:scaleY(-1)}" +
  ".rows .all{margin-inline-start:38px}" +
  ".postal:has(>.all){flex-wrap:wrap}.rows .postal>.all{flex:1 0 80%}" +
  "@media(min-width:48em){.all.phone{display:none}}" +
  "@media print{.all{display:none}}";

type TextKind = "label" | "row" | "bio";

/** Longer text takes more than three lines on a phone. A bio is short, so only line breaks make it tall. */
const most = {
  label: { characters: 60, lines: 3 },
  row: { characters: 100, lines: 4 },
  bio: { characters: 400, lines: 6 },
};

export function isLong(kind: TextKind, text: string | null | undefined): boolean {
  return text ? text.length > most[kind].characters || text.split("\n").length > most[kind].lines : false;
}

/** A card's own CSS rules: those of its style, and those for long text if it has any. */
export function cardRules(card: Omit<CardViewModel, "links"> & { bio?: string | null }): string {
  const { company, position, department, email, bio, emails = [], address = [] } = card;
  const labels = [company, joined(position, department)];
  // Of a web address the row shows the host alone.
  const texts = optionalTexts.map(({ name, icon, isWebAddress }) => (icon && !isWebAddress ? card[name] : ""));
  const rows = [email, address.join("\n"), ...texts, ...emails.map(({ value }) => value)];
  const hasLongText =
    isLong("bio", bio) || labels.some((text) => isLong("label", text)) || rows.some((text) => isLong("row", text));
  return (card.style?.css ?? "") + (hasLongText ? clampCss : "");
}

/** "Head of design · Research". */
export function joined(...texts: (string | false | null | undefined)[]): string {
  return texts.filter(Boolean).join(" · ");
}

/** Whether a company or position is cut on a phone only: a wide screen shows this many characters in three lines. */
export function fitsWideCard(...labels: (string | null | undefined)[]): boolean {
  return labels.every((text) => !text || (text.length <= 90 && text.split("\n").length <= most.label.lines));
}

/** Goes after an element that has the class "clamp", or contains one that does. Needs no JavaScript. */
export function ShowAll({ of, isForPhones = false }: { of: string; isForPhones?: boolean }) {
  return (
    <label className={isForPhones ? "all phone" : "all"}>
      <input type="checkbox" aria-label={`Show all: ${of}`} />
      Show all
    </label>
  );
}
