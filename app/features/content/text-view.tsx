import { Notice } from "#app/ui/notice.tsx";

import { ReadingFrame } from "./reading-frame.tsx";
import type { SiteText } from "./site-texts.server.ts";

/** A text that came as Markdown; what `renderMarkdown` gives holds no tags but its own. */
export function TextView({ text, name }: { text: SiteText; name: string }) {
  return (
    <ReadingFrame title={text.title ?? name} sections={text.sections} before={text.isUnsigned && <Unsigned />}>
      <div className="prose" dangerouslySetInnerHTML={{ __html: text.html }} />
    </ReadingFrame>
  );
}

function Unsigned() {
  return (
    <Notice title="This is the text that comes with the software">
      It says what the software does. Whoever runs this site has not said yet who they are, and has not put a text of
      their own in its place.
    </Notice>
  );
}
