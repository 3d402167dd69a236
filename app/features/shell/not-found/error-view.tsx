import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";

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
