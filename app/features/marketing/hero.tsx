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
      <div
        className={`${pageWidth} grid gap-14 pt-8 sm:pt-10 md:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] md:gap-6 md:pt-4`}
      >
        <HeroWords hasSample={hasSample} isMember={isMember} />
        <HeroPicture theme={theme} />
      </div>
      <HeroWays />
      <HeroBackdrop tint={tints[theme]} buttonPlace="absolute! end-3 bottom-2" />
    </section>
  );
}

type HeroProps = { hasSample: boolean; isMember?: boolean; theme?: PreviewTheme };

function HeroWords({ hasSample, isMember }: { hasSample: boolean; isMember: boolean }) {
  return (
    <div className="self-center">
      <h1 className="heading text-[clamp(2.5rem,11.5vw,4.75rem)] md:text-[clamp(2.5rem,6vw,4.75rem)] leading-[1.12] tracking-[-0.025em]">
        One tap,
        <br />
        endless
        <br />
        <span className="inline-block border-b-[0.11em] border-seal pb-[0.02em] leading-[0.98]">connections.</span>
      </h1>
      <p className="mt-7 max-w-[30rem] text-lg leading-[1.6] text-text/85">
        A card you hand over by link, QR code or NFC. A page that holds everything else. They need no app, and you never
        run out.
      </p>
      <div className="mt-9 flex flex-wrap gap-3.5">
        <ButtonLink size="l" variant="main" href="/pricing" className="grow sm:grow-0">
          Get your card
        </ButtonLink>
        <ButtonLink size="l" href="#personas" className="grow sm:grow-0">
          See how it works
        </ButtonLink>
      </div>
      <p className="mt-5 flex flex-wrap items-center gap-x-6">
        <a href={isMember ? "/profile" : "/auth"} className={wordLink}>
          {isMember ? "Open your profile" : "Get Started — Free"}
        </a>
        {hasSample && (
          <a href="/u/demo-user" className={wordLink}>
            Open the sample profile
          </a>
        )}
      </p>
      <p className="mt-2 text-sm text-balance text-text/85">
        Free for one card. No trackers, no cookies for your visitors.
      </p>
    </div>
  );
}

const wordLink =
  "inline-flex min-h-11 items-center font-medium underline decoration-muted decoration-1 underline-offset-[6px] hover:decoration-text";
