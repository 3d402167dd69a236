/** "2026-11-21 02:41:43 UTC": the server does not know where its visitor is. */
export function MailTime({ at }: { at: number }) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} className="text-sm text-muted tabular-nums">
      {`${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`}
    </time>
  );
}
