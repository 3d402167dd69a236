import { useEffect, useEffectEvent, useRef } from "react";

import { loopSize, loopTypes } from "./loops.ts";
import type { Loop } from "./loops.ts";

/** One loop, without sound and without controls. Where it can't be loaded or played its first picture stays. */
export function LoopFilm({ loop, isRunning, onRefused, className }: LoopFilmProps) {
  const film = useRef<HTMLVideoElement>(null);
  const tellRefused = useEffectEvent(onRefused);

  // Whether it runs is not said by an attribute, only by the element's own functions.
  useEffect(() => {
    const video = film.current;
    if (!video) return;
    if (!isRunning) return video.pause();
    video.play().catch((reason: unknown) => {
      // A browser that saves power lets nothing play by itself. What was stopped while it began, or could not be read, is no refusal.
      if (reason instanceof DOMException && reason.name === "NotAllowedError") tellRefused();
    });
  }, [isRunning]);

  return (
    <video
      ref={film}
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

type LoopFilmProps = { loop: Loop; isRunning: boolean; onRefused: () => void; className: string };
