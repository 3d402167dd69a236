import type { ReactNode } from "react";

/** A section of the landing page: a small label, a heading with an introduction beside it, then the content. `id` is its fragment. */
export function LandingSection({ id, title, eyebrow, intro, children }: LandingSectionProps) {
  const titleId = `${id}-title`;
  return (
    <section id={id} aria-labelledby={titleId} className="section">
      <header className="reveal">
        <div>
          <p className="eyebrow">{eyebrow}</p>
          <h2 id={titleId} className="heading">
            {title}
          </h2>
        </div>
        {intro && <p>{intro}</p>}
      </header>
      {children}
    </section>
  );
}

type LandingSectionProps = {
  id: string;
  title: string;
  eyebrow: string;
  intro?: string | undefined;
  children: ReactNode;
};

/** Marks invented content, so that no one takes it for a fact. */
export function SampleBadge() {
  return (
    <span className="shrink-0 rounded-full border border-line-strong px-2.5 text-xs leading-5.5 font-semibold text-muted">
      Sample
    </span>
  );
}
