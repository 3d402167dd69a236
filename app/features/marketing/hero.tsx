import { pageWidth } from "#app/features/shell/site-links.ts";
import { ButtonLink } from "#app/ui/button.tsx";

import { HeroBackdrop } from "./hero-backdrop.tsx";
import { HeroPicture } from "./hero-picture.tsx";
import { HeroWays } from "./hero-ways.tsx";
import type { PreviewTheme } from "./preview.ts";
import { tints } from "./preview-tints.ts";

/** What it is, what it looks like, and the way in. The sample is offered only where there is one. */
export function Hero({ hasSample, isMember = false, theme = "slate" }: HeroProps) {
  return (
    <section aria-label="Meishi" className="relative">
      <div className={`${pageWidth} ${sheet}`}>
        <HeroWords />
        <HeroPicture theme={theme} />
        <WayIn isMember={isMember} />
        {hasSample && (
          <p className={sample}>
            <a href="/u/demo-user" className={wordLink}>
              Open the sample profile
            </a>
          </p>
        )}
      </div>
      <HeroWays />
      <HeroBackdrop tint={tints[theme]} buttonPlace="absolute! end-3 bottom-2" />
    </section>
  );
}

type HeroProps = { hasSample: boolean; isMember?: boolean; theme?: PreviewTheme };

function HeroWords() {
  return (
    <div className="sm:self-end">
      <h1 className="heading text-[clamp(1.5rem,11.2vw,4.75rem)] sm:text-[clamp(2.5rem,6vw,4.75rem)] leading-[1.12] tracking-[-0.025em] sm:whitespace-pre-line">
        {/* One text, that breaks where there is room for it: where it starts does not hang on which letters have come. */}
        {"One tap,\nendless"}
        <br />
        <span className="inline-block border-b-[0.11em] border-seal pb-[0.02em] leading-[0.98]">connections.</span>
      </h1>
      <p className="mt-4 max-w-[30rem] leading-[1.6] text-text/85 lg:mt-7 lg:text-lg">
        A card you hand over by link, QR code or NFC. A page that holds everything else. They need no app, and you never
        run out.
      </p>
      <div className="mt-5 flex gap-2.5 lg:mt-9 lg:gap-3.5">
        <ButtonLink variant="main" href="/pricing" className={button}>
          Get your card
        </ButtonLink>
        <ButtonLink href="#personas" className={button}>
          See how it works
        </ButtonLink>
      </div>
    </div>
  );
}

function WayIn({ isMember }: { isMember: boolean }) {
  return (
    <p className={wayIn}>
      <a href={isMember ? "/profile" : "/auth"} className={wordLink}>
        {isMember ? "Open your profile" : "Get Started — Free"}
      </a>
      <span className="text-sm text-text/85">Free for one card. No trackers, no cookies for your visitors.</span>
    </p>
  );
}

// On a phone the first screen is the words and the card: what else there is to say stands beside the phone, below the card. Wider,
// words and picture are side by side, with the sample below the phone that shows it.
const sheet = "grid grid-cols-1 gap-x-5 gap-y-4 pt-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] sm:gap-y-0";
const beside = "relative max-sm:col-start-1 max-sm:row-start-2 max-sm:w-[47%] max-sm:text-sm";
const wayIn = `flex flex-col items-start max-sm:mt-[64%] sm:mt-3 lg:mt-5 lg:flex-row lg:flex-wrap lg:items-center lg:gap-x-4 ${beside}`;
const sample = `max-sm:self-end sm:col-start-2 sm:-mb-6 sm:text-end ${beside}`;
const button = "max-lg:grow max-lg:px-2 lg:min-h-15 lg:px-7 lg:text-[1.125rem]";
const wordLink =
  "inline-flex min-h-11 items-center font-medium underline decoration-muted decoration-1 underline-offset-[6px] hover:decoration-text";
