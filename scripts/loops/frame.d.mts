export const frames: number;
export const rate: number;
export function drawFrame(
  name: "ink" | "fibres" | "edge" | "rings",
  options: { frame: number; width: number; height: number; grain?: boolean },
): Uint16Array;
