import { useRef, useState } from "react";

import { IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { LoopFilm } from "./loop-film.tsx";
import { roleOf } from "./loop-turns.ts";
import { loops, loopSize } from "./loops.ts";
import { useLoops } from "./use-loops.ts";

/**
 * Ink, paper and light behind the first screen. Without script, motion or data to spare it is one still picture of a few kB. `tint`
 * lays a colour over it; `buttonPlace` says where the button stands that stops what moves (WCAG 2.2, 2.2.2).
 */
export function HeroBackdrop({ tint = "", buttonPlace }: { tint?: string; buttonPlace: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isRefused, setRefused] = useState(false);
  const { turn, isWanted, isRunning, isPaused, setPaused } = useLoops(place, loops.length);
  return (
    <>
      <div ref={place} aria-hidden="true" className={frame}>
        <div className={grade}>
          <img src={loops[0].poster} {...loopSize} alt="" fetchPriority="low" className={film} />
          {turn &&
            !isRefused &&
            loops.map((loop, at) => {
              const role = roleOf(at, turn, loops.length);
              if (!role) return null;
              const look = role === "shown" ? coming : role === "next" ? `${film} opacity-0` : film;
              return (
                <LoopFilm
                  key={loop.name}
                  loop={loop}
                  isRunning={isRunning && role !== "next"}
                  onRefused={() => setRefused(true)}
                  className={look}
                />
              );
            })}
          {tint && <div className={`absolute inset-0 z-2 mix-blend-color ${tint}`} />}
        </div>
      </div>
      {isWanted && !isRefused && (
        <IconButton
          label={isPaused ? "Play the background" : "Pause the background"}
          onClick={() => setPaused(!isPaused)}
          className={buttonPlace}
        >
          <Icon name={isPaused ? "play" : "pause"} />
        </IconButton>
      )}
    </>
  );
}

// On a phone behind the pictures alone, below the words. Else from above the header to a little below the hero. It melts into the
// ground where the words are: the ground laid over it, as a mask would leave stripes in what is nearly white.
const frame =
  "pointer-events-none absolute inset-x-0 -bottom-16 -z-10 h-[48rem] overflow-clip print:hidden forced-colors:hidden " +
  "after:absolute after:inset-0 after:bg-[linear-gradient(var(--color-ground)_2%,#0000_34%_58%,var(--color-ground)_88%),linear-gradient(90deg,var(--color-ground)_-15%,#0000_62%)] " +
  "sm:-top-19 sm:-bottom-24 sm:h-auto sm:after:bg-[linear-gradient(#0000_60%,var(--color-ground)_92%),linear-gradient(90deg,var(--color-ground)_14%,#0000_62%)]";
// Light on ink becomes ink on paper: the same hues, turned from bright to dark.
const grade =
  "relative size-full opacity-80 in-data-[mode=light]:[filter:invert(1)_hue-rotate(180deg)_sepia(0.2)_brightness(1.03)] " +
  "[@media(prefers-color-scheme:light)]:in-data-[mode=system]:[filter:invert(1)_hue-rotate(180deg)_sepia(0.2)_brightness(1.03)]";
const film = "absolute inset-0 size-full object-cover object-[70%_50%]";
const coming = `${film} z-1 transition-opacity duration-[1.5s] ease-in-out starting:opacity-0`;
