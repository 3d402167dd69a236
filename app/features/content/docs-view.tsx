import type { DocsFacts } from "./docs-facts.ts";
import { Codes, Faces, Previews } from "./docs-pictures.tsx";
import { ContactFiles, Marks, Overview, Pages } from "./docs-reading.tsx";
import { Caching, Creating, Errors, Limits, Service } from "./docs-service.tsx";
import { ReadingFrame } from "./reading-frame.tsx";

export function DocsView({ facts }: { facts: DocsFacts }) {
  return (
    <ReadingFrame title="Documentation" sections={facts.isApiBuilt ? reading : [...reading, planned]}>
      <div className="prose">
        <Overview facts={facts} />
        <Pages facts={facts} />
        <ContactFiles facts={facts} />
        <Codes facts={facts} />
        <Previews facts={facts} />
        <Faces facts={facts} />
        <Marks facts={facts} />
        <Service facts={facts} />
        <Caching />
        <Errors facts={facts} />
        <Limits facts={facts} />
        {!facts.isApiBuilt && <Creating facts={facts} />}
      </div>
    </ReadingFrame>
  );
}

/** In the order of the page; a test compares them with its headings. */
const reading = [
  { id: "pages", label: "Profiles and cards" },
  { id: "contact-files", label: "Contact files" },
  { id: "codes", label: "QR codes" },
  { id: "previews", label: "Pictures" },
  { id: "faces", label: "Drawn faces" },
  { id: "marks", label: "Where a visit came from" },
  { id: "service", label: "State of the service" },
  { id: "caching", label: "Caching" },
  { id: "errors", label: "Errors" },
  { id: "limits", label: "Limits" },
];
const planned = { id: "creating-cards", label: "Creating cards (planned)" };
