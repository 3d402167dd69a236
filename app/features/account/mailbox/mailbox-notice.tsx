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
