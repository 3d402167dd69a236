import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from "react-router";

import { MessageView } from "#app/ui/message-view.tsx";

import { errorMessage } from "./messages.ts";

/** Whatever went wrong, in words: never a stack, and with the request's id when the fault is ours. Needs public.css alone. */
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
