import { pageWidth } from "#app/features/shell/site-links.ts";

/** The ways to hand a card over that there are, under the first screen. */
export function HeroWays() {
  return (
    <div className={`${pageWidth} mt-8`}>
      <ul aria-label="Ways to share" className={strip}>
        {ways.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </div>
  );
}

const ways = ["Link", "QR code", "NFC tap", "Contact file", "E-mail signature", "Printed cards", "Call background"];

// Room at its end for the button that stops the background.
const strip =
  "flex flex-wrap gap-x-7 gap-y-2 border-t border-line py-6 pe-12 text-text/85 max-lg:text-sm md:justify-between md:gap-x-3 lg:py-7 xl:pe-0";
