import { useState } from "react";

import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";
import { Tabs } from "#app/ui/components/tabs.tsx";

import type { PassEditorData } from "./design-data.server.ts";
import type { LibraryControl, PassFormState } from "./form-state.ts";
import { messages } from "./messages.ts";
import { ImageField } from "./pickers/image-field.tsx";
import { ImageModal, useImagePanels } from "./pickers/image-dialog.tsx";
import type { ImageDialogProps } from "./pickers/image-dialog.tsx";

type LogoSectionProps = { pass: PassEditorData; editing: PassFormState; library: LibraryControl };

/** The logo at the top of the pass: the default, an upload, or none. */
export function LogoSection({ pass, editing, library }: LogoSectionProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { values, change } = editing;
  const key = values.logo.startsWith("asset:") ? values.logo.slice("asset:".length) : undefined;
  const isDefault = values.logo === "default";
  const { hasOwnPassImages } = pass.source.plan;
  return (
    <Panel title="Pass Logo">
      {key !== undefined && (
        <img
          src={passImageUrl("logo", key)}
          alt="Your logo"
          className={`mb-3 h-12.5 w-40 noscript:hidden ${logoClass}`}
        />
      )}
      <CheckboxField
        label="Use template default logo"
        name="logo"
        value="default"
        checked={isDefault}
        autoComplete="off"
        hint={
          isDefault ? "The logo of your card, or our seal on a card without one." : key ? "" : "The pass has no logo."
        }
        onChange={({ currentTarget }) => change({ logo: currentTarget.checked ? "default" : "none" })}
      />
      <div className="noscript:mt-4">
        <ImageField
          name="own_logo"
          legend="Instead of the default, when that is off"
          choices={listChoices(pass)}
          chosen={isDefault ? "none" : values.logo}
          onChoose={(logo) => change({ logo })}
        />
      </div>
      {hasOwnPassImages && (
        <div className="mt-3 grid justify-items-start gap-2 noscript:hidden">
          <Button size="s" onClick={() => setIsChoosing(true)}>
            Change Logo
          </Button>
          <p className="text-sm text-muted">{messages.logoHint}</p>
        </div>
      )}
      {isChoosing && (
        <LogoDialog
          pass={pass}
          chosen={values.logo}
          onChoose={(logo) => change({ logo })}
          library={library}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </Panel>
  );
}

/** Uploads are part of Premium. One that was chosen on another plan stays; without any there is nothing to choose. */
function listChoices({ library, source }: PassEditorData) {
  const own = source.plan.hasOwnPassImages ? library.filter(({ kind }) => kind === "logo") : [];
  if (own.length === 0) return [];
  return [
    { value: "none", label: "No logo", image: undefined },
    ...own.map(({ keyPrefix, filename }) => ({
      value: `asset:${keyPrefix}`,
      label: filename || "Image",
      image: <img src={passImageUrl("logo", keyPrefix)} alt="" className={`aspect-[16/5] w-full ${logoClass}`} />,
    })),
  ];
}

const logoClass = "rounded-[10px] border border-line bg-higher object-contain";

/** The picker of a pass logo. */
function LogoDialog(props: ImageDialogProps) {
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
