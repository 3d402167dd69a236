import cardAvif from "./mocks/card.avif";
import cardWebp from "./mocks/card.webp";
import forestAvif from "./mocks/phone-forest.avif";
import forestWebp from "./mocks/phone-forest.webp";
import royalAvif from "./mocks/phone-royal.avif";
import royalWebp from "./mocks/phone-royal.webp";
import phoneAvif from "./mocks/phone.avif";
import phoneWebp from "./mocks/phone.webp";
import { sampleName } from "./showcase.ts";
import type { ShowcaseTheme } from "./showcase.ts";

/**
 * The sample's business card and, on a phone, its profile: screenshots of the sample's pages made by scripts/draw-mocks.mjs. Screen
 * readers announce them as one figure.
 */
export function HeroImage({ theme = "slate" }: { theme?: ShowcaseTheme }) {
  return (
    <figure className="relative mx-auto max-sm:col-start-1 max-sm:row-start-2 aspect-[350/488] w-full max-w-[400px] sm:me-0 sm:col-start-2 sm:row-[1/3] sm:aspect-[590/632] sm:max-w-[min(590px,max(440px,68svh))] sm:self-center">
      <figcaption className="sr-only">
        {`Sample: the business card and profile page of ${sampleName}, a product designer.`}
      </figcaption>
      <div aria-hidden="true">
        <PhoneMockup theme={theme} className="absolute end-0 bottom-0 w-1/2 sm:w-[52%]" />
        <div className="absolute start-0 top-[4%] w-[78%] sm:top-auto sm:bottom-[7%] sm:w-[50%]">
          <div className={cardClass}>
            <CardMockup />
            <TapRings />
          </div>
        </div>
      </div>
    </figure>
  );
}

export function PhoneMockup({ theme, className }: { theme: ShowcaseTheme; className: string }) {
  const [avif, webp] = phoneScreens[theme];
  return (
    // All lengths are relative to the phone's width, so it scales as a whole.
    <div className={`@container ${className}`}>
      <div className={bezelClass}>
        <picture>
          <source type="image/avif" srcSet={avif} />
          <img src={webp} width={320} height={694} alt="" className="block h-auto w-full rounded-[13.7cqw]" />
        </picture>
        <span className="absolute top-[8cqw] left-1/2 h-[6.5cqw] w-[26cqw] -translate-x-1/2 rounded-full bg-black" />
      </div>
    </div>
  );
}

export function CardMockup() {
  return (
    <picture>
      <source type="image/avif" srcSet={cardAvif} />
      <img
        src={cardWebp}
        width={342}
        height={209}
        alt=""
        className="block h-auto w-full rounded-[4%/6.6%] shadow-[0_2px_4px_#0003,0_28px_56px_-14px_var(--color-shade)]"
      />
    </picture>
  );
}

/** The profile in each theme, as AVIF and WebP. */
const phoneScreens: Record<ShowcaseTheme, [string, string]> = {
  slate: [phoneAvif, phoneWebp],
  indigo: [royalAvif, royalWebp],
  emerald: [forestAvif, forestWebp],
};

/** Rings that open once where card and phone touch. */
function TapRings() {
  return (
    <div className="absolute start-[58%] -bottom-2 grid size-5 place-items-center sm:start-[92%] sm:-top-3 sm:bottom-auto">
      <span className="size-4 rounded-full bg-[#ff5a3c] sm:size-5" />
      <span className={`${ringClass} size-12 sm:size-17`} />
      <span className={`${ringClass} size-20 opacity-45 [animation-delay:620ms] sm:size-28`} />
    </div>
  );
}

const bezelClass =
  "relative rounded-[18.3cqw] bg-black p-[4.6cqw] shadow-[0_0_0_1px_#4a4d56,0_0_0_4px_#15161a,0_0_0_5px_#34373f,0_40px_90px_-20px_var(--color-shade)]";
// The card slides into place when the page appears.
const cardClass =
  "relative -rotate-7 transition-[translate,rotate] duration-700 ease-out starting:-translate-x-5 starting:translate-y-3 starting:-rotate-10 motion-reduce:transition-none";
const ringClass = "absolute rounded-full border border-[#ff5a3c] animate-open motion-reduce:animate-none";
