import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { RowHandle } from "#app/ui/components/row-handle.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";

import { BackgroundSection } from "./background-section.tsx";
import type { PassEditorPage } from "./design-data.server.ts";
import type { LibraryControl, PassFormState } from "./form-state.ts";
import { LogoSection } from "./logo-section.tsx";
import { messages } from "./messages.ts";
import { SetupNotice } from "./pass-notice.tsx";
import { passSwitches, passSwitchNames, positionName } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";

/** The fields of a pass's design. Each works without script; with script some have a better control, which changes the same field. */
export function PassSections({ pass, editing, library, notify, onPreviewTint }: PassSectionsProps) {
  const { values, change } = editing;
  return (
    <>
      {!pass.offered.apple && !pass.offered.google && <SetupNotice pass={pass} notify={notify} />}
      {pass.voidReason !== undefined && (
        <Notice tone="warning" title={pass.voidReason}>
          {messages.void}
        </Notice>
      )}
      {hasMoreThanPlan(pass, values) && <Notice>{messages.notIncluded}</Notice>}
      <BackgroundSection {...{ pass, editing, library, onPreviewTint }} />
      <LogoSection {...{ pass, editing, library }} />
      <Panel title="What the pass shows">
        <div className="grid gap-1">
          {passSwitchNames.map((name) => (
            <CheckboxField
              key={name}
              label={passSwitches[name].label}
              name={passSwitches[name].input}
              checked={values[name]}
              autoComplete="off"
              onChange={({ currentTarget }) => change({ [name]: currentTarget.checked })}
            />
          ))}
        </div>
        <p className="mt-2 text-sm text-muted">Fields that your card hides from its page are never on the pass.</p>
      </Panel>
      <LinkOrder pass={pass} editing={editing} />
    </>
  );
}

/** Whether the design has something that the owner's plan doesn't include: it stays stored after a downgrade. */
function hasMoreThanPlan({ source }: PassEditorPage, { background, logo, tint }: PassFormValues): boolean {
  return !source.plan.hasOwnPassImages && (tint !== "" || [background, logo].some((one) => one.startsWith("asset:")));
}

type PassSectionsProps = {
  pass: PassEditorPage;
  editing: PassFormState;
  notify: (toast: ToastContent) => void;
  /** Called with the color while it is being picked, and with undefined when that ends. */
  onPreviewTint: (tint: string | undefined) => void;
  library: LibraryControl;
};

/** The order of the links on the back: by dragging or the arrow keys, and without script by a number. */
function LinkOrder({ pass, editing: { values, change } }: Pick<PassSectionsProps, "pass" | "editing">) {
  if (pass.links.length < 2) return null;
  const { linkOrder } = values;
  const move = (id: string, to: number) => {
    const others = linkOrder.filter((other) => other !== id);
    const index = Math.min(Math.max(to, 0), others.length);
    change({ linkOrder: [...others.slice(0, index), id, ...others.slice(index)] });
  };
  return (
    <Panel title="Links on the back">
      <ol className="grid grid-cols-1">
        {linkOrder.map((id, index) => {
          const name = pass.links.find((link) => link.id === id)?.name ?? "";
          return (
            <li key={id} className="relative flex min-h-15 items-center gap-3 border-t border-line first:border-t-0">
              <RowHandle name={name} index={index} isFixed={false} onMove={(to) => move(id, to)} />
              <span className="min-w-0 flex-1 truncate ps-9 noscript:ps-0" dir="auto">
                {name}
              </span>
              <label className="hidden items-center gap-2 text-sm text-muted noscript:flex">
                Position
                <input
                  type="number"
                  name={positionName(id)}
                  min={1}
                  key={index}
                  defaultValue={index + 1}
                  autoComplete="off"
                  className="h-11 w-18 rounded-control border border-line-strong bg-ground px-3 text-text"
                />
              </label>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
