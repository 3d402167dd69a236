import { fullName } from "#app/features/cards/card-fields.ts";
import { formatJob } from "#app/features/cards/card-view-model.ts";
import type { CardViewModel } from "#app/features/cards/card-view-model.ts";
import { fallbackName } from "#app/features/cards/public/business-card.tsx";
import { textDirection } from "#app/ui/components/characters.ts";

/** A card drawn small beside its name, as a picture: assistive technology skips it. */
export function CardThumbnail({ card }: { card: CardViewModel }) {
  const name = fullName(card.displayName.trim() || fallbackName, card);
  return (
    <span aria-hidden="true" className={cardClass} dir={textDirection(name)}>
      {card.avatar && (
        <img src={card.avatar.small} alt="" width={22} height={22} className="absolute end-2 top-2 rounded-full" />
      )}
      <span className="block max-w-19 truncate text-[6px] leading-[1.4] font-semibold tracking-[0.12em] text-ink-soft uppercase">
        {card.company}
      </span>
      <span className="mt-auto block truncate heading text-[13px] leading-tight">{name}</span>
      <span className="block truncate text-[7px] leading-[1.5] text-ink-soft">{formatJob(card) || card.position}</span>
      <span className="mt-1 block border-t border-paper-line pt-1 text-[5px] leading-none truncate text-ink-soft">
        {card.email ?? card.phone ?? "\u00a0"}
      </span>
    </span>
  );
}

const cardClass =
  "relative flex aspect-[91/55] w-28 shrink-0 flex-col self-start overflow-hidden rounded-[7px] border border-paper-line p-2.5 text-start " +
  "bg-linear-150 from-paper to-paper-edge text-ink shadow-[0_2px_6px_#0003] forced-color-adjust-none sm:row-span-2 sm:w-32";
