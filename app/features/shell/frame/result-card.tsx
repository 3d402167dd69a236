import type { ReactNode } from "react";

import { paperClass, Seal } from "#app/features/shell/brand.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";

/** A page with one message, such as the outcome of a checkout or an error, on a business card; ways on and `more` follow below it. */
export function ResultCard({ label, title, text, more, children }: ResultCardProps) {
  return (
    <div className="mx-auto grid w-full max-w-[34rem] grid-cols-1 gap-8 px-5 py-12 sm:py-20">
      <section className={`${cardClass} ${paperClass}`}>
        <div className="flex items-start justify-between gap-4">
          <p className="eyebrow">{label}</p>
          <Seal size={36} />
        </div>
        <div className="self-end">
          <h1 className="heading text-[clamp(1.75rem,7vw,2.5rem)] leading-[1.12]">{title}</h1>
          <div className="mt-3 border-t border-line pt-3 text-muted">{text}</div>
        </div>
      </section>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow sm:justify-center">{children}</div>
      {more}
    </div>
  );
}

type ResultCardProps = { label: string; title: string; text: ReactNode; more?: ReactNode; children: ReactNode };

// The proportions of a business card: 91 x 55 mm.
const cardClass = "grid aspect-[91/55] w-full grid-rows-[auto_1fr] gap-y-4 rounded-card border p-6.5 sm:p-9";

/** An error page inside the site's frame: what happened, and what to do next. */
export function ErrorView({ status, title, text, action, secondAction }: ErrorViewProps) {
  return (
    <ResultCard label={`Error ${status}`} title={title} text={text}>
      <title>{`${title} | Meishi`}</title>
      <meta name="robots" content="noindex" />
      <ButtonLink variant="main" href={action.href}>
        {action.label}
      </ButtonLink>
      {secondAction && <ButtonLink href={secondAction.href}>{secondAction.label}</ButtonLink>}
    </ResultCard>
  );
}

type ErrorViewProps = {
  status: number;
  title: string;
  text: string;
  action: Action;
  secondAction?: Action | undefined;
};

type Action = { href: string; label: string };
