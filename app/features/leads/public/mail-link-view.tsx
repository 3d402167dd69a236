import type { ReactNode } from "react";
import { isRouteErrorResponse } from "react-router";

import { MessageView } from "#app/features/shell/message-view.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";

import { connectCss } from "./connect-style.ts";

/** Of pages of the connect layout. */
export function visitorPageMeta(title: string) {
  return [{ title }, { name: "robots", content: "noindex" }, { tagName: "link", rel: "icon", href: sealIcon }];
}

/** The page behind a signed link in a mail. Its loader allows the style. */
export function MailLinkFrame({ children }: { children: ReactNode }) {
  return (
    <main className="page" data-theme="default">
      <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: connectCss }} />
      <div className="column">
        <div className="framed">{children}</div>
      </div>
    </main>
  );
}

export function MailLinkTitle({ title, text }: { title: string; text: ReactNode }) {
  return (
    <header className="to">
      <div>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    </header>
  );
}

/** One press. `children` say what it does, and make it the main one. */
export function PressForm({ action, label, children }: { action: string; label: string; children?: ReactNode }) {
  const hint = children ? `${action.split("/").at(-1)}-hint` : undefined;
  return (
    <form className="form" method="post" action={action}>
      <div className="field">
        <button className={children ? "button main" : "button"} aria-describedby={hint}>
          {label}
        </button>
        {children && (
          <p className="hint" id={hint}>
            {children}
          </p>
        )}
      </div>
    </form>
  );
}

type MailSwitchProps = {
  title: string;
  isOn: boolean;
  /** Where the button sends to. */
  action: string;
  label: string;
  hint: string;
  /** What it means that they are off, and where an owner turns them on again. */
  offText: string;
  settingsPath: string;
};

/** Whether an owner gets mails of one kind, and the button that turns them off. */
export function MailSwitch({ title, isOn, action, label, hint, offText, settingsPath }: MailSwitchProps) {
  return (
    <>
      <MailLinkTitle title={title} text={isOn ? "They are on." : "They are off."} />
      {isOn ? (
        <PressForm action={action} label={label}>
          {hint}
        </PressForm>
      ) : (
        <p role="status">
          {offText} <a href={settingsPath}>Change this in your account</a>
        </p>
      )}
    </>
  );
}

/** Instead of the page of a link that we didn't sign. Throws other errors again. */
export function IncompleteLink({ error }: { error: unknown }) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView title="This link is incomplete" text="Open the link from the email again, or copy all of it." />;
}
