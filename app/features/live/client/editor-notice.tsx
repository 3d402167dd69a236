import { useEffect, useState } from "react";
import type { ComponentType } from "react";

import type { EditedRecord } from "./editor-state.ts";

/** Says when the record of an editor was saved elsewhere. Its script is loaded after the page. */
export function EditorNotice(props: EditedRecord) {
  const [View, setView] = useState<ComponentType<EditedRecord>>();
  useEffect(() => {
    const load = () =>
      import("./saved-elsewhere-notice.tsx").then(
        ({ SavedElsewhereNotice }) => setView(() => SavedElsewhereNotice),
        // As without script.
        () => undefined,
      );
    const timer = setTimeout(() => void load(), loadDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return View ? <View {...props} /> : null;
}

const loadDelayMs = 3_000;
