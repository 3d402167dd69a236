import type { ReactNode } from "react";

import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";

/** The parts of a profile or card that each page below Share needs. */
type SectionSubject = Pick<ShareSubject, "label" | "path" | "sharePath">;

/** A page below Share: one way to share, with a link back. */
export function ShareSection({ title, subject, children }: ShareSectionProps) {
  return (
    // A key per card resets the choices made for the previous one.
    <div key={subject.sharePath} className="mx-auto grid w-full max-w-180 gap-5 px-5 pt-6 pb-16">
      <ShareHeader title={title} label={subject.label} backTo={subject.sharePath} back="Share" />
      {children}
    </div>
  );
}

type ShareSectionProps = { title: string; subject: Pick<SectionSubject, "label" | "sharePath">; children: ReactNode };

export function ShareHeader({ title, label, backTo, back }: Record<"title" | "label" | "backTo" | "back", string>) {
  return (
    <header className="grid gap-1">
      <BackLink to={backTo}>{back}</BackLink>
      <h1 className="heading text-xl">{title}</h1>
      <p className="text-muted wrap-anywhere">
        <bdi>{label}</bdi>
      </p>
    </header>
  );
}

/** Reads what the pages below Share need of a profile or card; the rest isn't sent to the browser. */
export function toSectionSubject({ label, path, sharePath }: ShareSubject): SectionSubject {
  return { label, path, sharePath };
}
