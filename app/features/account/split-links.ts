type Part = { text: string; isLink: boolean };

/** Plain text in pieces, so that its http(s) addresses can be followed. Put together again they are the text. */
export function splitLinks(text: string): Part[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => ({ text: part, isLink: index % 2 === 1 }));
}
