type ErrorMessage = { title: string; text: string };

/** The message of an error page. Only a server error mentions the request id, to look it up in the log. */
export function errorMessage(status: number, requestId: string | undefined): ErrorMessage {
  const known = errorMessages[status];
  if (known) return known;
  if (status < 500) return refusedMessage;
  const reference = requestId ? ` and give this number: ${requestId}` : "";
  return { ...crashMessage, text: `${crashMessage.text}${reference}.` };
}

export const outcomeUnknownText =
  "Your change may or may not have been saved. Go back, reload the page and check before you try again.";

const errorMessages: Partial<Record<number, ErrorMessage>> = {
  404: {
    title: "Oops! Page not found",
    text: "Nothing is at this address. The link may be mistyped, or what it led to was removed.",
  },
  405: {
    title: "That doesn't work here",
    text: "This address can't do what was asked of it. Go back and try again from the page you came from.",
  },
  413: {
    title: "That was too much",
    text: "What was sent is larger than this page takes. Nothing was changed: go back, make it smaller and send it again.",
  },
  503: {
    title: "Back in a moment",
    text: "The service can't answer right now. Nothing is lost: wait a minute and try again.",
  },
};

const refusedMessage: ErrorMessage = {
  title: "That request was refused",
  text: "Nothing was changed. Go back, reload the page and try again.",
};

const crashMessage: ErrorMessage = {
  title: "Something went wrong",
  text: "The fault is ours, not yours. Try again in a moment; if it stays, tell whoever runs this site",
};
