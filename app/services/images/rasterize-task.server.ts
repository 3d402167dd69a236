import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import type { RasterizeOptions } from "./sharp.server.ts";

/** Renders an SVG as PNG, as `rasterize` does. */
export const rasterizeTask: WorkerTask<RasterizeOptions & { svg: string }, Uint8Array> = {
  name: "rasterize",
  run: async ({ svg, ...options }) => (await import("./sharp.server.ts")).rasterize(svg, options),
};
