import edgePoster from "./loops/edge.avif";
import edgeMp4 from "./loops/edge.mp4";
import edgeWebm from "./loops/edge.webm";
import fibresPoster from "./loops/fibres.avif";
import fibresMp4 from "./loops/fibres.mp4";
import fibresWebm from "./loops/fibres.webm";
import inkPoster from "./loops/ink.avif";
import inkMp4 from "./loops/ink.mp4";
import inkWebm from "./loops/ink.webm";
import ringsPoster from "./loops/rings.avif";
import ringsMp4 from "./loops/rings.mp4";
import ringsWebm from "./loops/rings.webm";

/** A seamless video of 7 seconds; `poster` is its first frame. */
export type Loop = { name: string; webm: string; mp4: string; poster: string };

/** The videos behind the first screen, in order. The first one's poster is in the page from the start. */
export const loops: readonly [Loop, ...Loop[]] = [
  { name: "ink", webm: inkWebm, mp4: inkMp4, poster: inkPoster },
  { name: "edge", webm: edgeWebm, mp4: edgeMp4, poster: edgePoster },
  { name: "rings", webm: ringsWebm, mp4: ringsMp4, poster: ringsPoster },
  { name: "fibres", webm: fibresWebm, mp4: fibresMp4, poster: fibresPoster },
];

/** The size of all loops in CSS pixels, before they are scaled to the screen. */
export const loopSize = { width: 960, height: 540 };

/** In order of preference: browsers that can't play AV1 take H.264. */
export const loopTypes = { webm: 'video/webm; codecs="av01.0.04M.10"', mp4: 'video/mp4; codecs="avc1.64001E"' };

/** How long a loop is shown until the next one fades in over it. */
export const loopDurationMs = 7000;
/** How long the fade takes. */
export const fadeDurationMs = 1500;
/** How long before its start the next loop is loaded: a third of a megabyte takes that long on a slow phone. */
export const preloadLeadMs = 2500;

/** The loops in the page: the shown one, the one it is fading in over, and shortly before the change the next one. */
export type LoopRotation = { shown: number; covered: number | undefined; isNextLoaded: boolean };

export const initialRotation: LoopRotation = { shown: 0, covered: undefined, isNextLoaded: false };

export function preloadNext(rotation: LoopRotation): LoopRotation {
  return { ...rotation, isNextLoaded: true };
}

export function showNext({ shown }: LoopRotation, count: number): LoopRotation {
  return { shown: (shown + 1) % count, covered: shown, isNextLoaded: false };
}

export function removeCovered(rotation: LoopRotation): LoopRotation {
  return { ...rotation, covered: undefined };
}

export type LoopRole = "shown" | "covered" | "next";

/** A loop's current role; undefined when it is not needed and not loaded. */
export function loopRole(
  loop: number,
  { shown, covered, isNextLoaded }: LoopRotation,
  count: number,
): LoopRole | undefined {
  if (loop === shown) return "shown";
  if (loop === covered) return "covered";
  return isNextLoaded && loop === (shown + 1) % count ? "next" : undefined;
}
