import { DeferredView } from "./deferred-view.tsx";
import type { EditedRecord } from "./saved-elsewhere-notice.tsx";

/** Says when the record of an editor was saved elsewhere. Its script is loaded after the page. */
export function EditorNotice(props: EditedRecord) {
  return <DeferredView load={loadNotice} props={props} />;
}

const loadNotice = () => import("./saved-elsewhere-notice.tsx").then((file) => file.SavedElsewhereNotice);
