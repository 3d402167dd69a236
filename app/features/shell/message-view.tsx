import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from "react-router";

import { Seal } from "./brand.tsx";
import { sealIcon } from "./seal-drawing.ts";
import { errorMessage } from "./messages.ts";

/**
 * A public page with a message on a business card: not found, gone, failed. It has no owner, so it uses the visitor's theme. Needs
 * public-page.css.
 */
export function MessageView({ title, text, action }: MessageViewProps) {
  const theme = useRouteLoaderData<{ theme: Theme }>("root")?.theme ?? "dark";
  return (
    <main className="page" data-theme={pageThemes[theme]}>
      {/* React puts it into the head; without it a browser requests /favicon.ico. */}
      <link rel="icon" href={sealIcon} />
      <div className="column message">
        <section className="card" data-theme="default">
          <p className="caps">Meishi</p>
          <Seal size={36} />
          <div className="person">
            <h1 className="name">{title}</h1>
            <p>{text}</p>
          </div>
        </section>
        {action && (
          <div className="actions">
            <a className="button main" href={action.href}>
              {action.label}
            </a>
          </div>
        )}
      </div>
    </main>
  );
}

type Theme = keyof typeof pageThemes;

/** The matching themes of the public pages; their `default` is paper in light mode and ink in dark mode. */
const pageThemes = { dark: "ink", light: "paper", system: "default" } as const;

type MessageViewProps = { title: string; text: string; action?: { href: string; label: string } };

/** The error page: never a stack trace, and the request's id for a server error. Needs public.css only. */
export function ErrorPage() {
  const error = useRouteError();
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = errorMessage(status, root?.requestId);
  return (
    <>
      <title>{`${title} | Meishi`}</title>
      <meta name="robots" content="noindex" />
      <MessageView title={title} text={text} action={{ href: "/", label: "Go to the home page" }} />
    </>
  );
}
