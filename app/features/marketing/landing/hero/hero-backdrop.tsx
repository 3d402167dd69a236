import { useEffect, useEffectEvent, useRef, useState } from "react";

import { IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

import { loopRole, loops, loopSize, loopTypes } from "./loops.ts";
import type { Loop } from "./loops.ts";
import { useLoops } from "./use-loops.ts";

/**
 * The video background of the first screen. Without script, and with reduced motion or data, it is one still image of a few kB. `tint`
 * is the class of a color laid over it. The button that pauses it (WCAG 2.2, 2.2.2) has the class `buttonClass`.
 */
export function HeroBackdrop({ tint = "", buttonClass }: { tint?: string; buttonClass: string }) {
  const [isRefused, setRefused] = useState(false);
  const { rotation, visibilityRef, isAllowed, isRunning, isPaused, setPaused } = useLoops(loops.length);
  return (
    <>
      <div ref={visibilityRef} aria-hidden="true" className={frameClass}>
        <div className={gradeClass}>
          <img src={loops[0].poster} {...loopSize} alt="" fetchPriority="low" className={videoClass} />
          {rotation &&
            !isRefused &&
            loops.map((loop, index) => {
              const role = loopRole(index, rotation, loops.length);
              if (!role) return null;
              const roleClass =
                role === "shown" ? fadeInClass : role === "next" ? `${videoClass} opacity-0` : videoClass;
              return (
                <LoopVideo
                  key={loop.name}
                  loop={loop}
                  isRunning={isRunning && role !== "next"}
                  onRefused={() => setRefused(true)}
                  className={roleClass}
                />
              );
            })}
          {tint && <div className={`absolute inset-0 z-2 mix-blend-color ${tint}`} />}
        </div>
      </div>
      {isAllowed && !isRefused && (
        <IconButton
          label={isPaused ? "Play background video" : "Pause background video"}
          onClick={() => setPaused(!isPaused)}
          className={buttonClass}
        >
          <Icon name={isPaused ? "play" : "pause"} />
        </IconButton>
      )}
    </>
  );
}

// On a phone it is behind the images only; on wider screens it reaches from above the header to a little below the hero. A gradient
// of the background color fades it out behind the text; a mask would leave visible stripes in near-white areas.
const frameClass =
  "pointer-events-none absolute inset-x-0 -bottom-16 -z-10 h-[48rem] overflow-clip print:hidden forced-colors:hidden " +
  "after:absolute after:inset-0 after:bg-[linear-gradient(var(--color-ground)_2%,#0000_34%_58%,var(--color-ground)_88%),linear-gradient(90deg,var(--color-ground)_-15%,#0000_62%)] " +
  "sm:-top-19 sm:-bottom-24 sm:h-auto sm:after:bg-[linear-gradient(#0000_60%,var(--color-ground)_92%),linear-gradient(90deg,var(--color-ground)_14%,#0000_62%)]";
// In light mode the videos are inverted to the same hues on paper.
const gradeClass =
  "relative size-full opacity-80 in-data-[mode=light]:[filter:invert(1)_hue-rotate(180deg)_sepia(0.2)_brightness(1.03)] " +
  "[@media(prefers-color-scheme:light)]:in-data-[mode=system]:[filter:invert(1)_hue-rotate(180deg)_sepia(0.2)_brightness(1.03)]";
const videoClass = "absolute inset-0 size-full object-cover object-[70%_50%]";
const fadeInClass = `${videoClass} z-1 transition-opacity duration-[1.5s] ease-in-out starting:opacity-0`;

/** One loop, without sound or controls. Its poster stays where it can't be loaded or played. */
export function LoopVideo({ loop, isRunning, onRefused, className }: LoopVideoProps) {
  const ref = useRef<HTMLVideoElement>(null);
  const reportRefused = useEffectEvent(onRefused);

  // Playback has no attribute; it is controlled through the element's methods.
  useEffect(() => {
    const video = ref.current;
    if (!video) return;
    if (!isRunning) return video.pause();
    video.play().catch((reason: unknown) => {
      // A browser in power-saving mode refuses autoplay. An aborted or failed load is not a refusal.
      if (reason instanceof DOMException && reason.name === "NotAllowedError") reportRefused();
    });
  }, [isRunning]);

  return (
    <video
      ref={ref}
      muted
      loop
      playsInline
      disablePictureInPicture
      preload="auto"
      tabIndex={-1}
      poster={loop.poster}
      {...loopSize}
      className={className}
    >
      <source src={loop.webm} type={loopTypes.webm} />
      <source src={loop.mp4} type={loopTypes.mp4} />
    </video>
  );
}

type LoopVideoProps = { loop: Loop; isRunning: boolean; onRefused: () => void; className: string };
