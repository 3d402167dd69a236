import type { SiteContent } from "#app/services/site-content.server.ts";

/** Who runs the site, as far as they said. */
export function OperatorLines({ operator: { name, address, email } }: { operator: SiteContent["operator"] }) {
  if (!name && !address && !email) return null;
  return (
    <address className="mt-2 grid gap-1 border-t border-line pt-5 not-italic">
      {name && <span className="font-semibold">{name}</span>}
      {address && <span className="whitespace-pre-line text-muted">{address}</span>}
      {email && (
        <a
          className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
          href={`mailto:${email}`}
        >
          {email}
        </a>
      )}
    </address>
  );
}
