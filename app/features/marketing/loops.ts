import edgeMp4 from "./loops/edge.mp4";
import edgeWebm from "./loops/edge.webm";
import edgePoster from "./loops/edge.avif";
import fibresMp4 from "./loops/fibres.mp4";
import fibresWebm from "./loops/fibres.webm";
import fibresPoster from "./loops/fibres.avif";
import inkMp4 from "./loops/ink.mp4";
import inkWebm from "./loops/ink.webm";
import inkPoster from "./loops/ink.avif";
import ringsMp4 from "./loops/rings.mp4";
import ringsWebm from "./loops/rings.webm";
import ringsPoster from "./loops/rings.avif";

/** A film of 7 seconds that ends as it begins, drawn by scripts/draw-loops.mjs; `poster` is its first picture. */
export type Loop = { name: string; webm: string; mp4: string; poster: string };

/** What moves behind the first screen, one after the other. The first one's poster is there from the start. */
export const loops: readonly [Loop, ...Loop[]] = [
  { name: "ink", webm: inkWebm, mp4: inkMp4, poster: inkPoster },
  { name: "edge", webm: edgeWebm, mp4: edgeMp4, poster: edgePoster },
  { name: "rings", webm: ringsWebm, mp4: ringsMp4, poster: ringsPoster },
  { name: "fibres", webm: fibresWebm, mp4: fibresMp4, poster: fibresPoster },
];

/** Of all of them, in CSS pixels before they are stretched over the screen. */
export const loopSize = { width: 960, height: 540 };

/** How each is written: who can't play the first takes the second. */
export const loopTypes = { webm: 'video/webm; codecs="av01.0.04M.10"', mp4: 'video/mp4; codecs="avc1.64001E"' };
