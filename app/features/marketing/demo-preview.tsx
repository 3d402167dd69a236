import type { ReactNode } from "react";

import { countSigns, initials } from "#app/ui/initials.ts";

import type { DemoCard } from "./demo-card.ts";

/** The demo's card, upright as a pass: 55 by 91, taller only when its words need it. `children` is the code on it. */
export function DemoPreview({ card, children }: { card: DemoCard; children: ReactNode }) {
  const name = shown(card.name);
  return (
    <article aria-label="Preview card" className="demo-card" data-accent={card.accent} data-look={card.mode}>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <p dir="auto" className="eyebrow line-clamp-3 min-w-0 text-(--accent)">
          {shown(card.company)}
        </p>
        <span aria-hidden="true" className={monogram}>
          {initials(name)}
        </span>
      </div>
      <p
        dir="auto"
        className={`heading mt-5 line-clamp-3 min-h-11 pb-1 ${countSigns(name) > LONG ? "text-lg" : "text-xl leading-[1.3]"}`}
      >
        {name}
      </p>
      <p dir="auto" className="line-clamp-3 text-sm text-text/80">
        {shown(card.title)}
      </p>
      <div className="mt-auto pt-5">{children}</div>
    </article>
  );
}

const monogram =
  "heading grid size-11 shrink-0 place-items-center overflow-hidden rounded-full bg-(--accent) text-base text-(--end)";

/** The demo takes any text, but nobody sees more of it than this. */
function shown(text: string): string {
  return text.slice(0, 300);
}

/** From this many signs on a name is set smaller. */
const LONG = 32;
