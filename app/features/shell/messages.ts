type ErrorMessage = { title: string; text: string };

/** The message of an error page. Only a server error mentions the request id, to look it up in the log. */
export function errorMessage(status: number, requestId: string | undefined): ErrorMessage {
  const known = errorMessages[status];
  if (known) return known;
  if (status < 500) return refusedMessage;
  const reference = requestId ? ` and include this request ID: ${requestId}` : "";
  return { ...crashMessage, text: `${crashMessage.text}${reference}.` };
}

export const outcomeUnknownText =
  "Your change may or may not have been saved. Go back, reload the page and check before you try again.";

const errorMessages: Partial<Record<number, ErrorMessage>> = {
  404: {
    title: "Oops! Page not found",
    text: "There’s nothing at this address. The link may be mistyped, or the page may have been removed.",
  },
  405: {
    title: "That doesn’t work here",
    text: "This page doesn’t support that action. Go back and try again from the previous page.",
  },
  413: {
    title: "That’s too large",
    text: "You sent more than this page accepts. Nothing was changed. Go back, make it smaller and try again.",
  },
  503: {
    title: "Back in a moment",
    text: "The service is unavailable right now. Try again in a minute. What you just sent may not have been saved.",
  },
};

const refusedMessage: ErrorMessage = {
  title: "Request rejected",
  text: "Nothing was changed. Go back, reload the page and try again.",
};

const crashMessage: ErrorMessage = {
  title: "Something went wrong",
  text: "It’s our fault, not yours. Try again in a moment. If it keeps happening, contact us",
};
