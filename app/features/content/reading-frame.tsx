import type { ReactNode } from "react";

import type { Section } from "./markdown.ts";

/** A page to read: its title, a list of its chapters beside it (above it, folded, on a phone), and one column of text. See prose.css. */
export function ReadingFrame({ title, before, sections, children }: ReadingFrameProps) {
  return (
    <div className="reading mx-auto w-full max-w-[1200px] px-5 pt-10 sm:pt-16">
      <h1 className="heading mb-6 text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">{title}</h1>
      {sections.length > 2 && <Contents sections={sections} />}
      <div className="min-w-0">
        {before && <div className="before">{before}</div>}
        {children}
      </div>
    </div>
  );
}

type ReadingFrameProps = { title: string; before?: ReactNode; sections: readonly Section[]; children: ReactNode };

function Contents({ sections }: { sections: readonly Section[] }) {
  const list = (
    <ol className="grid text-sm">
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a href={`#${id}`} className="block py-3 text-muted no-underline hover:text-text">
            {label}
          </a>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <nav aria-label="On this page" className="folded">
        <details className="rounded-control border border-line">
          <summary className="flex min-h-12 items-center px-4 font-medium">On this page</summary>
          <div className="px-4 pb-2">{list}</div>
        </details>
      </nav>
      <nav aria-label="On this page" className="beside">
        <p className="eyebrow mb-2">On this page</p>
        {list}
      </nav>
    </>
  );
}
