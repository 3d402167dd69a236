import type { ReactNode } from "react";

import type { LegalText } from "#app/features/content/legal/legal-texts.server.ts";
import { Notice } from "#app/ui/components/notice.tsx";

import type { TextSection } from "./markdown.ts";
import proseCss from "./prose.css?url";

/** A page of text: a title, one column, and a table of contents beside it (folded above it on a phone). Styled by prose.css. */
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

type ReadingFrameProps = { title: string; before?: ReactNode; sections: readonly TextSection[]; children: ReactNode };

function Contents({ sections }: { sections: readonly TextSection[] }) {
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

/** A text rendered by `renderMarkdown`, whose output holds only its own tags. */
export function LegalTextView({ text, name }: { text: LegalText; name: string }) {
  return (
    <ReadingFrame title={text.title ?? name} sections={text.sections} before={text.isUnsigned && <UnsignedNotice />}>
      <div className="prose" dangerouslySetInnerHTML={{ __html: text.html }} />
    </ReadingFrame>
  );
}

function UnsignedNotice() {
  return (
    <Notice title="This is the software’s default text">
      It describes what the software does. This site’s operator hasn’t added their name or their own text yet.
    </Notice>
  );
}

/** The stylesheet of these pages, in addition to that of all site pages. */
export const readingLinks = [{ rel: "stylesheet", href: proseCss }];
