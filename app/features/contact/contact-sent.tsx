import type { SiteContent } from "#app/services/site-content.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Seal } from "#app/ui/seal.tsx";

/** A note on paper, signed: what happens next. */
export function ContactSent({ operator, hasMailBox }: { operator: SiteContent["operator"]; hasMailBox: boolean }) {
  return (
    <div className="grid content-start gap-5">
      <section
        role="status"
        className="grid min-h-72 grid-cols-[minmax(0,1fr)_auto] grid-rows-[auto_1fr] gap-x-5 gap-y-4 rounded-card border border-paper-line bg-linear-to-br from-paper to-paper-edge p-6 text-ink shadow-card sm:p-9"
      >
        <h2 className="heading text-xl">Your message is on its way</h2>
        <Seal size={34} />
        <p className="col-span-2 max-w-100 self-end text-ink-soft">
          {operator.name || "Whoever runs this site"} gets it by mail. The answer comes to the address that you gave;
          there is no copy, so that nobody can use this page to send mail to others.
        </p>
      </section>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/">Go to the home page</ButtonLink>
        <ButtonLink href="/contact" variant="plain">
          Write another message
        </ButtonLink>
        {hasMailBox && (
          <ButtonLink href="/dev/mail" variant="plain">
            Open mail box
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
