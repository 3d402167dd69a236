type Message = { title: string; text: string };

/** What to say about an answer that is no page. The request id is only given where somebody would have to look for the cause. */
export function errorMessage(status: number, requestId: string | undefined): Message {
  const known = errors[status];
  if (known) return known;
  if (status < 500) return refused;
  const reference = requestId ? ` and give this number: ${requestId}` : "";
  return { ...crash, text: `${crash.text}${reference}.` };
}

const errors: Partial<Record<number, Message>> = {
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

const refused: Message = {
  title: "That request was refused",
  text: "Nothing was changed. Go back, reload the page and try again.",
};

const crash: Message = {
  title: "Something went wrong",
  text: "The fault is ours, not yours. Try again in a moment; if it stays, tell whoever runs this site",
};
