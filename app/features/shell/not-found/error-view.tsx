import { pageWidthClass } from "#app/features/shell/site-links.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

/** An error page inside the frame of the site: what happened, and a way on. */
export function ErrorView({ status, title, text, action, secondAction }: ErrorViewProps) {
  return (
    <div className={`${pageWidthClass} grid content-center justify-items-start gap-5 pt-16 sm:pt-28`}>
      <title>{`${title} | Meishi`}</title>
      <meta name="robots" content="noindex" />
      <p className="eyebrow">{status}</p>
      <h1 className="heading text-[clamp(1.875rem,7vw,3.5rem)] leading-[1.12] tracking-[-0.02em]">{title}</h1>
      <p className="max-w-[32rem] text-muted">{text}</p>
      <p className="mt-3 flex flex-wrap gap-2.5">
        <ButtonLink variant="main" href={action.href}>
          {action.label}
        </ButtonLink>
        {secondAction && <ButtonLink href={secondAction.href}>{secondAction.label}</ButtonLink>}
      </p>
    </div>
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
