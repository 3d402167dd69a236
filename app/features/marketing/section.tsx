import type { ReactNode } from "react";

/**
 * One section of the landing page: a small label, the heading with what it is about beside it, then the content, 96 px apart from
 * the sections around it. `id` is where links lead.
 */
export function Section({ id, title, eyebrow, intro, children }: SectionProps) {
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

type SectionProps = { id: string; title: string; eyebrow: string; intro?: string | undefined; children: ReactNode };
