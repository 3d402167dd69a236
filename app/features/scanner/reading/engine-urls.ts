import languageUrl from "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz?url";
import plainCoreUrl from "tesseract.js-core/tesseract-core-lstm.js?url";
import plainWasmUrl from "tesseract.js-core/tesseract-core-lstm.wasm?url";
import simdCoreUrl from "tesseract.js-core/tesseract-core-simd-lstm.js?url";
import simdWasmUrl from "tesseract.js-core/tesseract-core-simd-lstm.wasm?url";
import taskUrl from "tesseract.js/dist/worker.min.js?url";

/** A file that is loaded with progress. `bytes`: its size before compression, of the pinned version. */
export type EngineFile = { url: string; bytes: number };

/** The language model: English, whose letters are A to Z and é. */
export const languageFile: EngineFile = { url: languageUrl, bytes: 2_952_873 };

/** The two builds of the engine: for browsers with SIMD, and for all others. */
export const engines = {
  simd: { script: simdCoreUrl, wasm: { url: simdWasmUrl, bytes: 2_857_601 } },
  plain: { script: plainCoreUrl, wasm: { url: plainWasmUrl, bytes: 2_855_361 } },
} as const;

export type EngineName = keyof typeof engines;

/** The library's own worker script. */
export const engineTaskUrl = taskUrl;

/** The address of our worker script, which starts the engine under a policy of its own. */
export const workerPath = "/leads/scan/worker.js";
