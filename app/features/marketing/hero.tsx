import { ButtonLink } from "#app/ui/button.tsx";

import { HeroPicture } from "./hero-picture.tsx";
import { pageWidth } from "#app/features/shell/site-links.ts";

/** What it is, what it looks like, and the way in. The sample is offered only where there is one. */
export function Hero({ hasSample }: { hasSample: boolean }) {
  return (
    <section
      className={`${pageWidth} grid gap-16 pt-10 pb-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:gap-6 lg:pt-5 lg:pb-28`}
    >
      <div className="self-center">
        <h1 className="heading text-[clamp(2.5rem,11.5vw,4.75rem)] leading-[1.12] tracking-[-0.025em]">
          One tap,
          <br />
          endless
          <br />
          <span className="inline-block border-b-[0.11em] border-seal leading-[0.98] pb-[0.02em]">connections.</span>
        </h1>
        <p className="mt-7 max-w-[30rem] text-lg leading-[1.6] text-text/85">
          A card you hand over by link, QR code or contact file. A page that holds everything else. They need no app,
          and you never run out.
        </p>
        <div className="mt-9 flex flex-wrap gap-3.5">
          <ButtonLink size="l" variant="main" href="/pricing" className="grow sm:grow-0">
            Get your card
          </ButtonLink>
          <ButtonLink size="l" href="#how-it-works" className="grow sm:grow-0">
            See how it works
          </ButtonLink>
        </div>
        <p className="mt-6 flex flex-wrap items-center gap-x-5 text-text">
          <a href="/auth" className={wordLink}>
            Get Started — Free
          </a>
          {hasSample && (
            <a href="/u/demo-user" className={wordLink}>
              Open the sample profile
            </a>
          )}
        </p>
        <p className="mt-3 text-sm text-balance text-muted">
          Free for one card. No trackers, no cookies for your visitors.
        </p>
      </div>
      <HeroPicture />
      <div aria-hidden="true" className={glow} />
    </section>
  );
}

const wordLink =
  "inline-flex min-h-11 items-center font-medium underline decoration-muted decoration-1 underline-offset-[6px] hover:decoration-text";

// A warm light behind the phone and a cool one below, under the header too.
const glow =
  "pointer-events-none absolute inset-x-0 top-0 -z-10 h-[64rem] " +
  "bg-[radial-gradient(46rem_34rem_at_72%_32%,light-dark(#cf6a4a24,#6e2b1c3d),transparent_72%),radial-gradient(44rem_24rem_at_48%_70%,light-dark(#5f7db012,#26395e3d),transparent_72%)] " +
  "max-sm:opacity-50 forced-colors:hidden";
