import type { Worker as Engine } from "tesseract.js";

import { engines, languageFile, workerPath } from "./engine-urls.ts";
import type { EngineFile, EngineName } from "./engine-urls.ts";

/** Bytes of the engine and its language that are loaded, of all. */
export type LoadProgress = { loaded: number; total: number };

type LoadOptions = { signal: AbortSignal; onLoad: (progress: LoadProgress) => void; onRead: (share: number) => void };

/**
 * Loads the engine that reads images, from this site alone. Throws what `fetch` throws when a file can't be loaded, and an error when it
 * can't be started.
 */
export async function loadEngine({ signal, onLoad, onRead }: LoadOptions): Promise<Engine> {
  const name = findEngineName();
  const files = [engines[name].wasm, languageFile];
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const loaded = files.map(() => 0);
  const [library, wasm, language] = await Promise.all([
    import("tesseract.js"),
    ...files.map((file, index) =>
      loadFile(file, signal, (bytes) => {
        loaded[index] = Math.min(bytes, file.bytes);
        onLoad({
          loaded: Math.min(
            total,
            loaded.reduce((sum, part) => sum + part, 0),
          ),
          total,
        });
      }),
    ),
  ]);
  if (!wasm || !language) throw new Error("A file of the engine is missing.");
  const addresses = [wasm, language].map((file) => URL.createObjectURL(new Blob(file, { type: "application/wasm" })));
  const [wasmAddress = "", languageAddress = ""] = addresses;
  try {
    const options = {
      workerPath: `${workerPath}#${new URLSearchParams({ engine: name, wasm: wasmAddress }).toString()}`,
      workerBlobURL: false,
      // The library adds the name of a file, which is no part of a blob's address behind "#".
      langPath: `${languageAddress}#`,
      // Nothing is stored but in the browser's cache.
      cacheMethod: "none",
      logger: ({ status, progress }: { status: string; progress: number }) =>
        status === "recognizing text" && onRead(progress),
    };
    const engine = await new Promise<Engine>((resolve, reject) => {
      // Without a handler the library throws where no one can catch it, and says nothing when it can't start.
      const errorHandler = (error: unknown) => reject(new Error(String(error)));
      library.createWorker("eng", library.OEM.LSTM_ONLY, { ...options, errorHandler }).then(resolve, errorHandler);
    });
    // Images have no resolution of their own.
    await engine.setParameters({ tessedit_pageseg_mode: library.PSM.AUTO, user_defined_dpi: "300" });
    return engine;
  } finally {
    addresses.forEach((address) => URL.revokeObjectURL(address));
  }
}

/** Bytes of a function with one SIMD instruction: valid only where SIMD is supported. */
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function findEngineName(): EngineName {
  return WebAssembly.validate(simdProbe) ? "simd" : "plain";
}

/** The file, which a server or proxy may have decompressed: the library recognizes both. */
async function loadFile(
  { url }: EngineFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new TypeError(`${url} answered ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    bytes += next.value.length;
    onBytes(bytes);
  }
  return parts;
}
