import { useRouteLoaderData } from "react-router";

import { Seal, sealIcon } from "./seal.tsx";

/**
 * A public page that has only something to say: not found, gone, broken. It is nobody's, so it looks as its reader chose, and says whose
 * site this is. Needs public.css.
 */
export function MessageView({ title, text, action }: MessageViewProps) {
  const theme = useRouteLoaderData<{ theme: Theme }>("root")?.theme ?? "dark";
  return (
    <main className="page" data-theme={grounds[theme]}>
      {/* React puts it into the head; without it a browser asks for /favicon.ico. */}
      <link rel="icon" href={sealIcon} />
      <div className="column message">
        <p className="made">
          <a href="/">
            <Seal size={28} /> Meishi
          </a>
        </p>
        <h1>{title}</h1>
        <p>{text}</p>
        {action && (
          <a className="button main" href={action.href}>
            {action.label}
          </a>
        )}
      </div>
    </main>
  );
}

type Theme = keyof typeof grounds;

/** The readers' themes in public-themes.css: what is `default` there is paper by day and ink at night. */
const grounds = { dark: "ink", light: "paper", system: "default" } as const;

type MessageViewProps = { title: string; text: string; action?: { href: string; label: string } };
