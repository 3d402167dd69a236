import { MadeWithMeishi, sealIcon } from "./seal.tsx";

/** A public page that has only something to say: not found, gone, broken. Needs public.css. */
export function MessageView({ title, text, action }: MessageViewProps) {
  return (
    <main className="page" data-theme="ink">
      {/* React puts it into the head; without it a browser asks for /favicon.ico. */}
      <link rel="icon" href={sealIcon} />
      <div className="column message">
        <h1>{title}</h1>
        <p>{text}</p>
        {action && (
          <a className="button main" href={action.href}>
            {action.label}
          </a>
        )}
        <MadeWithMeishi />
      </div>
    </main>
  );
}

type MessageViewProps = { title: string; text: string; action?: { href: string; label: string } };
