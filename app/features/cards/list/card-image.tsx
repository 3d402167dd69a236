import { useId } from "react";

import type { ThumbnailContent } from "#app/features/cards/rules.ts";
import { textDirection } from "#app/ui/components/characters.ts";

/** A card drawn small beside its name, or as large as `className` says, in its own colors and layout. Assistive technology skips it. */
export function CardThumbnail({ card, className = thumbnailClass }: { card: ThumbnailContent; className?: string }) {
  const id = useId();
  const { colors, layout } = card;
  const isRightToLeft = textDirection(card.name) === "rtl";
  const middle = layout === "centered";
  // A cover photo takes the end of the card.
  const textWidth = layout === "cover" ? width - margin - coverWidth - 8 : width - 2 * margin;
  const x = middle ? width / 2 : isRightToLeft ? width - margin : margin;
  const line = (text: string, { y, size, fill, room = textWidth }: Line) => (
    <text x={x} y={y} fill={fill} fontSize={fit(text, { size, width: room })}>
      {text}
    </text>
  );
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={`${frameClass} ${className}`}
      direction={isRightToLeft ? "rtl" : "ltr"}
      textAnchor={middle ? "middle" : "start"}
    >
      <linearGradient id={id} x2="1" y2="1">
        <stop stopColor={colors.paper[0]} />
        <stop offset="1" stopColor={colors.paper[1]} />
      </linearGradient>
      <rect width={width} height={height} fill={`url(#${id})`} />
      <Photo card={card} isAtStart={isRightToLeft} />
      {!middle && (
        <g fontWeight="600" className="*:tracking-[0.09em]">
          {line(card.company.toUpperCase(), {
            y: 26,
            size: layout === "cover" ? 6.5 : 8.5,
            fill: colors.brand,
            // Wide letters, beside the photo.
            room: (layout === "cover" ? textWidth : textWidth - photoWidth) * 0.7,
          })}
        </g>
      )}
      <g className="heading">{line(card.name, { y: 70, size: 20, fill: colors.text })}</g>
      {line(card.work, { y: 84, size: 10, fill: colors.muted })}
      {line(card.contact, { y: 99, size: 7.5, fill: colors.muted })}
    </svg>
  );
}

function Photo({ card, isAtStart }: { card: ThumbnailContent; isAtStart: boolean }) {
  const id = useId();
  const { avatar, layout, colors } = card;
  const isCover = layout === "cover";
  const side = isCover ? coverWidth : photoWidth;
  const end = isCover ? width - side : width - margin + 4 - side;
  const box = {
    x: layout === "centered" ? (width - side) / 2 : isAtStart ? width - side - end : end,
    y: isCover ? 0 : 14,
    width: side,
    height: isCover ? height : side,
  };
  return (
    <>
      <clipPath id={id}>
        <rect {...box} rx={isCover ? 0 : side / 2} />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <rect {...box} fill={colors.avatar} />
        <text
          x={box.x + side / 2}
          y={box.y + box.height / 2}
          textAnchor="middle"
          dominantBaseline="central"
          fontSize={isCover ? 22 : 11}
          fill={colors.avatarText}
          className="heading"
        >
          {card.initials}
        </text>
        {avatar && <image href={avatar} {...box} preserveAspectRatio="xMidYMid slice" />}
      </g>
    </>
  );
}

/** The size at which a text is about as wide as there is room, at most `size`. */
function fit(text: string, { size, width: room }: { size: number; width: number }): number {
  return Math.max(2, Math.min(size, room / (text.length * 0.6)));
}

/** Twice the millimeters of a printed card. */
const width = 182;
const height = 110;
const margin = 16;
const coverWidth = 69;
const photoWidth = 30;

type Line = { y: number; size: number; fill: string; room?: number };

const frameClass =
  "aspect-[91/55] shrink-0 self-start border border-line-strong shadow-[0_2px_6px_#0003] forced-color-adjust-none";
const thumbnailClass = "w-28 rounded-[7px] sm:row-span-2 sm:w-32";
