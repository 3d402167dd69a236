import { useState } from "react";

import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";

import type { PassEditorData } from "./design-data.server.ts";
import type { PassFormState } from "./form-state.ts";
import { messages } from "./messages.ts";
import { LogoDialog } from "./pickers/logo-dialog.tsx";

type LogoSectionProps = { pass: PassEditorData; editing: PassFormState; onLibraryChange: () => void };

/** The logo at the top of the pass: the default, an upload, or none. */
export function LogoSection({ pass, editing, onLibraryChange }: LogoSectionProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { values, change } = editing;
  const key = values.logo.startsWith("asset:") ? values.logo.slice("asset:".length) : undefined;
  const isDefault = values.logo === "default";
  return (
    <Panel title="Pass Logo">
      {key !== undefined && (
        <>
          <input type="hidden" name="own_logo" value={values.logo} autoComplete="off" />
          <img
            src={passImageUrl("logo", key)}
            alt="Your logo"
            className="mb-3 h-12.5 w-40 rounded-[10px] border border-line bg-higher object-contain"
          />
        </>
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
      {pass.source.plan.hasOwnPassImages && (
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
          onLibraryChange={onLibraryChange}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </Panel>
  );
}
