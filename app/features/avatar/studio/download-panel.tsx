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
        label="Size in pixels"
        name="size"
        inputMode="numeric"
        value={typed}
        placeholder={String(defaultPngSize)}
        onChange={(event) => type(event.currentTarget.value.trim())}
        hint={`1 to ${maxPngSize}. If empty, a PNG is ${defaultPngSize} pixels wide and an SVG fits its container.`}
        {...(isWrong && { error: `Enter a whole number from 1 to ${maxPngSize}.` })}
        autoComplete="off"
      />
      <Switch
        label="Unique element IDs"
        hint="For web pages that embed several of these SVGs in their HTML."
        checked={options.randomizeIds}
        onChange={({ currentTarget }) => change({ randomizeIds: currentTarget.checked }, "")}
      />
      {isSeedTooLong(options.seed) || (
        <div className="grid grid-cols-2 gap-2.5 sm:flex">
          <ButtonLink size="s" href={avatarUrl(options, "svg")} download="avatar.svg">
            Download SVG
          </ButtonLink>
          <ButtonLink size="s" href={avatarUrl(options, "png")} download="avatar.png">
            Download PNG
          </ButtonLink>
        </div>
      )}
      <p className="text-sm text-muted">
        Artwork: Personas by Draftbit, CC BY 4.0. Give credit if you use it elsewhere. The SVG file already includes it.
      </p>
    </>
  );
}

function isSize(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPngSize;
}
