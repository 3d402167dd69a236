import { useRouteLoaderData } from "react-router";

import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import { messages } from "./messages.ts";

/** In place of the editor when its profile could not be read. */
export function LoadFailed() {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  const tryAgain = (
    <ButtonLink size="s" href="/profile">
      Try again
    </ButtonLink>
  );
  return (
    <div className="mx-auto grid w-full max-w-140 gap-5 px-5 py-12">
      <title>{`${messages.loadFailed} | Meishi`}</title>
      <h1 className="heading text-xl">Your profile</h1>
      <Notice tone="error" title={messages.loadFailed} action={tryAgain}>
        {messages.loadFailedText} {root?.requestId && `Request ${root.requestId}.`}
      </Notice>
    </div>
  );
}
