import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { drawAvatar, pictureAddress } from "./drawing.ts";
import { messages } from "./messages.ts";
import type { AvatarOptions } from "./rules.ts";
import type { Studio } from "./studio-state.ts";
import { isSeedIdle } from "./studio-words.ts";

/** The face itself, and where it comes from. */
export function StudioStage({ studio, isTooLong }: { studio: Studio; isTooLong: boolean }) {
  const { options, setSeed, shuffle } = studio;
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-center gap-x-4 px-5 py-3 sm:px-6.5 md:grid-cols-1 md:content-start md:gap-y-5 md:border-e md:border-line md:py-5">
      <Stage options={options} />
      <div className="grid min-w-0 gap-3 md:gap-4">
        <Field
          label="Seed"
          name="seed"
          value={options.seed}
          onChange={(event) => setSeed(event.currentTarget.value)}
          {...(isTooLong && { error: messages.seedTooLong })}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
        />
        <Button size="s" data-first onClick={shuffle}>
          <Icon name="shuffle" size={18} />
          Shuffle
        </Button>
        <p className="text-sm text-muted max-md:hidden">
          {isSeedIdle(options) ? messages.seedIdle : messages.seedHint}
        </p>
      </div>
    </div>
  );
}

/** As large as there is room for. What the circle of the avatar cuts off is seen, but dimmed. */
function Stage({ options }: { options: AvatarOptions }) {
  return (
    <div className="relative aspect-square overflow-hidden rounded-card bg-[#e9e3d5]">
      <img
        key={options.seed}
        src={pictureAddress(drawAvatar({ ...options, size: undefined, randomizeIds: false }))}
        alt="The avatar as it is drawn now"
        className="size-full motion-safe:animate-rise"
        decoding="sync"
        draggable={false}
      />
      <span
        className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_100vmax_color-mix(in_srgb,var(--color-raised)_62%,transparent)] outline-1 -outline-offset-1 outline-[#17181b33]"
        aria-hidden="true"
      />
    </div>
  );
}
