import { homePath } from "./site-links.ts";
import { sealDrawing } from "./seal-drawing.ts";

const { side, radius, stroke, red, paper, letter } = sealDrawing;

/** The seal in the page, `size` in CSS pixels. */
export function Seal({ size = 17 }: { size?: number }) {
  return (
    <svg className="seal" width={size} height={size} viewBox={`0 0 ${side} ${side}`} aria-hidden="true">
      <rect width={side} height={side} rx={radius} fill={red} />
      <path d={letter} fill="none" stroke={paper} strokeWidth={stroke} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** A link to the home page, on the public pages of the Free plan. */
export function MadeWithMeishi({ isSample = false }: { isSample?: boolean }) {
  return (
    <footer className="brand">
      <a href="/">
        <Seal /> {isSample ? "A sample, made with Meishi" : "Made with Meishi"}
      </a>
    </footer>
  );
}

/** The logo, as a link to the landing page, or for signed-in users to their home. */
export function BrandLink({ isSignedIn = false }: { isSignedIn?: boolean }) {
  return (
    <a href={isSignedIn ? homePath : "/"} className="flex min-h-11 items-center gap-2.5 pe-2 no-underline">
      <Seal size={28} />
      {/* As wide as in the fallback font, so that the menu beside it doesn't move when the font arrives. */}
      <span className="heading min-w-[3.5em] text-[1.375rem] leading-none">Meishi</span>
    </a>
  );
}

/**
 * A printed card is paper in both modes, so everything on it uses the light colors. Each is set by name, because `light-dark()` is
 * resolved where a color is declared, not where it is used. In light mode the page itself is paper, so the card is white there.
 */
export const paperClass =
  "scheme-light bg-[linear-gradient(150deg,var(--color-paper),var(--color-paper-edge))] border-line-strong text-ink [box-shadow:var(--shadow-card)] [--color-text:var(--color-ink)] " +
  "[--color-muted:var(--color-ink-soft)] [--color-line:var(--color-paper-line)] [--color-line-strong:#c8c1b0] [--color-higher:#efebe1] " +
  "[--color-main:var(--color-ink)] [--color-on-main:var(--color-paper)] " +
  "in-data-[mode=light]:bg-[linear-gradient(150deg,#fff,var(--color-paper))] " +
  "[@media(prefers-color-scheme:light)]:in-data-[mode=system]:bg-[linear-gradient(150deg,#fff,var(--color-paper))]";
