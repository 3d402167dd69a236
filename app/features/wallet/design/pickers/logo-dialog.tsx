import { Tabs } from "#app/ui/components/tabs.tsx";

import { ImageModal, useImagePanels } from "./image-dialog.tsx";
import type { ImageDialogProps } from "./image-dialog.tsx";

/** The picker of a pass logo. */
export function LogoDialog(props: ImageDialogProps) {
  const { dialog, upload, library } = useImagePanels(props, { kind: "logo", none: "default" });
  return (
    <ImageModal dialog={dialog} title="Pass Logo" onClose={props.onClose}>
      <Tabs
        label="Pass Logo"
        tabs={[
          { id: "upload", label: "Upload New", content: upload },
          { id: "library", label: "My Library", content: library },
        ]}
      />
    </ImageModal>
  );
}
