import { useRef, useState } from "react";

import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";

import { useFocusFirstError } from "./field-focus.ts";
import { resolveVersions } from "./versioned-values.ts";
import type { Difference, SaveRejection, Versioned } from "./versioned-values.ts";

/**
 * The editor of a record that several tabs or devices may save. The editor holds `values`, what is typed now; this hook compares them
 * with what is stored, reads what was typed before hydration, resolves conflicts and moves the focus to what a rejected save reports.
 */
export function useVersionedForm<Values>({
  stored,
  rejection,
  values,
  onTypedEarly,
  onAccept,
  read,
  isSame,
  onNoFieldError,
}: VersionedFormOptions<Values>) {
  const form = useRef<HTMLFormElement>(null);
  const [accepted, setAccepted] = useState<Versioned<Values>>();
  const versions = resolveVersions({ stored, rejection, accepted });

  useValuesBeforeHydration(form, (fields) => {
    const typed = read(new FormData(fields));
    if (!isSame(typed, values)) onTypedEarly(typed);
  });
  useFocusFirstError(form, rejection, onNoFieldError);

  const acceptOther = (other: Versioned<Values>) => {
    setAccepted(other);
    onAccept(other.values);
  };
  return {
    form,
    ...versions,
    isDirty: !isSame(values, versions.saved),
    /** The last rejection, unless it was a conflict that is resolved. */
    rejection: accepted && rejection?.conflict ? undefined : rejection,
    acceptOther,
    /** Changes when other values are accepted: the key of a form whose fields hold their own values. */
    acceptedVersion: accepted?.version ?? 0,
  };
}

type VersionedFormOptions<Values> = {
  stored: Versioned<Values>;
  rejection: SaveRejection<Values> | undefined;
  values: Values;
  /** Called with what was typed before hydration, when that differs from `values`. */
  onTypedEarly: (values: Values) => void;
  /** Called with the values of the other version when its owner chooses that. */
  onAccept: (values: Values) => void;
  read: (form: FormData) => Values;
  /** Whether saving either would store the same record. */
  isSame: (one: Values, other: Values) => boolean;
  /** Called after a rejection that marks no field. */
  onNoFieldError: () => void;
};

/** Two tabs saved the same record: shows the differences and lets the owner choose. "Keep mine" sends `replaces` with its form. */
export function ConflictNotice({ text, differences, version, formId, isSaving, otherHref, onAccept }: ConflictProps) {
  return (
    <Notice
      tone="warning"
      title={text.title}
      action={
        <>
          <Button
            type="submit"
            form={formId}
            name="replaces"
            value={version}
            size="s"
            variant="main"
            disabled={isSaving}
          >
            Keep mine
          </Button>
          <Button size="s" className="noscript:hidden" onClick={onAccept}>
            Use the other one
          </Button>
          <noscript>
            <ButtonLink size="s" href={otherHref}>
              Use the other one
            </ButtonLink>
          </noscript>
        </>
      }
    >
      <p>{text.text}</p>
      <dl className="mt-3 mb-2 grid gap-3">
        {differences.map(({ field, mine, other }) => (
          <div key={field} className="grid gap-1">
            <dt className="font-medium text-text">{field}</dt>
            <DifferingValue title="Yours" text={mine} />
            <DifferingValue title="The other one" text={other} />
          </div>
        ))}
      </dl>
    </Notice>
  );
}

type ConflictProps = {
  text: { title: string; text: string };
  differences: readonly Difference[];
  /** The other version, which "Keep mine" replaces. */
  version: number;
  /** The form that "Keep mine" sends; left out inside that form. */
  formId?: string;
  isSaving?: boolean;
  /** The page that shows the other version, without script. */
  otherHref: string;
  onAccept: () => void;
};

function DifferingValue({ title, text }: { title: string; text: string }) {
  return (
    <dd className="grid gap-x-3 sm:grid-cols-[7rem_1fr]">
      <span>{title}</span>
      <span dir="auto" className="line-clamp-6 whitespace-pre-line text-text">
        {text || "(empty)"}
      </span>
    </dd>
  );
}

/** The bar along the lower edge of the screen while something is unsaved. */
export const saveBarClass =
  "flex flex-wrap items-center justify-center gap-x-6 gap-y-2 border-t border-line-strong bg-higher " +
  "px-5 pt-3.5 pb-[calc(0.875rem+env(safe-area-inset-bottom))]";
