import { Hero } from "./hero.tsx";
import { HeroBackdrop } from "./hero-backdrop.tsx";
import { Card, Phone } from "./hero-picture.tsx";
import type { Preview } from "./preview.ts";
import { tints } from "./preview-tints.ts";

/** The first screen, its card or its phone alone, without anything around it: `/?screen=card&theme=indigo`. */
export function HeroShowcase({ preview: { screen, theme }, hasSample }: { preview: Preview; hasSample: boolean }) {
  if (screen === "hero") return <Hero hasSample={hasSample} theme={theme} />;
  return (
    <section className="relative grid min-h-dvh place-items-center px-5 py-12">
      <h1 className="sr-only">One tap, endless connections.</h1>
      <figure className="w-full">
        <figcaption className="sr-only">
          {screen === "card" ? "Sample: the business card of Demo User." : "Sample: the profile page of Demo User."}
        </figcaption>
        <div aria-hidden="true">
          {screen === "card" ? (
            <div className="mx-auto max-w-[560px] -rotate-7">
              <Card />
            </div>
          ) : (
            <Phone theme={theme} className="mx-auto max-w-[306px]" />
          )}
        </div>
      </figure>
      <HeroBackdrop tint={tints[theme]} buttonPlace="absolute! end-3 bottom-2" />
    </section>
  );
}
