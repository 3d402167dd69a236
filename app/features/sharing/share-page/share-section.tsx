import type { ReactNode } from "react";

import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Page } from "#app/ui/components/page.tsx";

/** The parts of a profile or card that each page below Share needs. */
type SectionSubject = Pick<ShareSubject, "label" | "path" | "sharePath">;

/** A page below Share: one way to share, with a link back. */
export function ShareSection({ title, subject, children }: ShareSectionProps) {
  return (
    // A key per card resets the choices made for the previous one.
    <Page
      key={subject.sharePath}
      width="list"
      title={title}
      back={<BackLink to={subject.sharePath}>Share</BackLink>}
      aside={<bdi className="truncate text-muted">{subject.label}</bdi>}
    >
      {children}
    </Page>
  );
}

type ShareSectionProps = { title: string; subject: Pick<SectionSubject, "label" | "sharePath">; children: ReactNode };

/** Reads what the pages below Share need of a profile or card; the rest isn't sent to the browser. */
export function toSectionSubject({ label, path, sharePath }: ShareSubject): SectionSubject {
  return { label, path, sharePath };
}
