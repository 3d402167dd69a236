/**
 * A printed card is paper in either mode, so what stands on it takes the colours of the light one. Each by its name, because the build
 * settles light-dark() where the colours are declared, and not where they are used. In the light it lies on paper already: there it is
 * white, or it would look put away.
 */
export const onPaper =
  "scheme-light bg-[linear-gradient(150deg,var(--color-paper),var(--color-paper-edge))] border-line-strong text-ink [box-shadow:var(--shadow-card)] [--color-text:var(--color-ink)] " +
  "[--color-muted:var(--color-ink-soft)] [--color-line:var(--color-paper-line)] [--color-line-strong:#c8c1b0] [--color-higher:#efebe1] " +
  "[--color-main:var(--color-ink)] [--color-on-main:var(--color-paper)] " +
  "in-data-[mode=light]:bg-[linear-gradient(150deg,#fff,var(--color-paper))] " +
  "[@media(prefers-color-scheme:light)]:in-data-[mode=system]:bg-[linear-gradient(150deg,#fff,var(--color-paper))]";
