import { useState } from "react";

import { ButtonLink } from "#app/ui/components/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { Switch } from "#app/ui/forms/checkbox-field.tsx";

import { avatarUrl } from "#app/features/avatar/avatar-url.ts";
import { maxPngSize, defaultPngSize } from "#app/features/avatar/rules.ts";
import type { Studio } from "./studio-state.ts";
import { isSeedTooLong } from "./studio-state.ts";

/** Downloads the avatar as a file. */
export function StudioDownloadPanel({ studio: { options, change } }: { studio: Studio }) {
  const [typed, setTyped] = useState(String(options.size ?? ""));
  const isWrong = typed !== "" && !isSize(typed);
  const type = (text: string) => {
    setTyped(text);
    if (text === "" || isSize(text)) change({ size: text === "" ? undefined : Number(text) }, "");
  };
  return (
    <>
      <Field
        label="Width and height in pixels"
        name="size"
        inputMode="numeric"
        value={typed}
        placeholder={String(defaultPngSize)}
        onChange={(event) => type(event.currentTarget.value.trim())}
        hint={`From 1 to ${maxPngSize}. Left empty, a drawing fills its place and a PNG has ${defaultPngSize}.`}
        {...(isWrong && { error: `A whole number from 1 to ${maxPngSize}.` })}
        autoComplete="off"
      />
      <Switch
        label="Ids of its own"
        hint="For pages that show several of these drawings as markup."
        checked={options.randomizeIds}
        onChange={({ currentTarget }) => change({ randomizeIds: currentTarget.checked }, "")}
      />
      {isSeedTooLong(options.seed) || (
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink size="s" href={avatarUrl(options, "svg")} download="avatar.svg">
            Download SVG
          </ButtonLink>
          <ButtonLink size="s" href={avatarUrl(options, "png")} download="avatar.png">
            Download PNG
          </ButtonLink>
        </div>
      )}
      <p className="text-sm text-muted">
        Personas by Draftbit, CC BY 4.0: name them where you show it elsewhere. The drawing says so in itself.
      </p>
    </>
  );
}

function isSize(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPngSize;
}
