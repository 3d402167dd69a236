/**
 * A printed card is paper in either mode, so what stands on it takes the colours of the light one. Each by its name, because the build
 * settles light-dark() where the colours are declared, and not where they are used.
 */
export const onPaper =
  "scheme-light bg-[linear-gradient(150deg,var(--color-paper),var(--color-paper-edge))] border-paper-line text-ink [box-shadow:var(--shadow-card)] [--color-text:var(--color-ink)] " +
  "[--color-muted:var(--color-ink-soft)] [--color-line:var(--color-paper-line)] [--color-line-strong:#c8c1b0] [--color-higher:#efebe1] " +
  "[--color-main:var(--color-ink)] [--color-on-main:var(--color-paper)]";
