/** "2026-11-21 02:41:43 UTC": the server doesn't know the visitor's time zone. */
export function MailTime({ at }: { at: number }) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} className="text-sm text-muted tabular-nums">
      {`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}
    </time>
  );
}

/** The text of an email with clickable links. */
export function MailText({ text }: { text: string }) {
  return (
    <div className="mt-5 whitespace-pre-wrap">
      {splitLinks(text).map((part, index) =>
        part.isLink ? (
          <a key={index} href={part.text} className="break-all underline">
            {part.text}
          </a>
        ) : (
          part.text
        ),
      )}
    </div>
  );
}

type Part = { text: string; isLink: boolean };

/** Splits text into links (http and https) and the text between them. Joined again, the parts are the text. */
export function splitLinks(text: string): Part[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => ({ text: part, isLink: index % 2 === 1 }));
}

/** In the path of an email instead of its name: the last one to the address `to`. */
export const latestName = "latest";

/** Where an email to this address is found while the server keeps its mail. */
export function KeptMail({ to }: { to: string }) {
  return (
    <p>
      This server keeps its mail.{" "}
      <a
        href={`/dev/mail/${latestName}?${new URLSearchParams({ to })}`}
        className="-my-2.5 inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
      >
        Open it.
      </a>
    </p>
  );
}
