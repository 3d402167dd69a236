import { HeroBackdrop } from "./hero-backdrop.tsx";
import { CardMockup, PhoneMockup } from "./hero-image.tsx";
import { HeroSection } from "./hero-section.tsx";
import { backdropTints, sampleName } from "./showcase.ts";
import type { Showcase } from "./showcase.ts";

/** The first screen, its card or its phone alone: `/?screen=card&theme=indigo`. */
export function HeroShowcase({ showcase: { screen, theme }, hasSample }: { showcase: Showcase; hasSample: boolean }) {
  if (screen === "hero") return <HeroSection hasSample={hasSample} theme={theme} />;
  return (
    <section className="relative grid min-h-dvh place-items-center px-5 py-12">
      <h1 className="sr-only">One tap, endless connections.</h1>
      <figure className="w-full">
        <figcaption className="sr-only">
          Sample: the {screen === "card" ? "business card" : "profile page"} of {sampleName}.
        </figcaption>
        <div aria-hidden="true">
          {screen === "card" ? (
            <div className="mx-auto max-w-[560px] -rotate-7">
              <CardMockup />
            </div>
          ) : (
            <PhoneMockup theme={theme} className="mx-auto max-w-[306px]" />
          )}
        </div>
      </figure>
      <HeroBackdrop tint={backdropTints[theme]} buttonClass="absolute! end-3 bottom-2" />
    </section>
  );
}
