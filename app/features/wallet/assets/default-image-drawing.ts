import { isDark } from "#app/services/base/color-contrast.ts";

import { findDefaultImage } from "./default-image-model.ts";

const drawings = import.meta.glob<string>("./drawings/*.svg", { query: "?raw", import: "default", eager: true });

/** One of our images as SVG, of 540 by 660; undefined for an unknown id. */
export function drawDefaultImage(id: string): string | undefined {
  return drawings[`./drawings/${id}.svg`];
}

/** The same with what other drawings on it need: whether it is dark everywhere, or light everywhere. */
export function findGround(id: string): { id: string; svg: string; isDark: boolean } | undefined {
  const svg = drawDefaultImage(id);
  return svg === undefined ? undefined : { id, svg, isDark: findDefaultImage(id)?.colors.every(isDark) ?? false };
}
