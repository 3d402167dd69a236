const drawings = import.meta.glob<string>("./drawings/*.svg", { query: "?raw", import: "default", eager: true });

/** One of our images as SVG, of 540 by 660; undefined for an unknown id. */
export function drawDefaultImage(id: string): string | undefined {
  return drawings[`./drawings/${id}.svg`];
}
