import { engines, engineTaskUrl } from "#app/features/scanner/reading/engine-urls.ts";

/**
 * The script of the worker that reads images. A worker has the policy of its own script, so only here WebAssembly may be compiled, and
 * what sees the image can't send it anywhere: its only connection is to the engine's file, which the page has loaded (a blob).
 */
export function loader() {
  return new Response(script, {
    headers: { "content-type": "text/javascript; charset=utf-8", "content-security-policy": policy },
  });
}

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The address of the worker says which engine to use, and where its file is. */
const script = `const settings = new URLSearchParams(location.hash.slice(1));
const scripts = ${JSON.stringify({ simd: engines.simd.script, plain: engines.plain.script })};
importScripts(scripts[settings.get("engine")] ?? scripts.plain);
const createCore = self.TesseractCore;
self.TesseractCore = (options) => createCore({ ...options, locateFile: () => settings.get("wasm") });
importScripts(${JSON.stringify(engineTaskUrl)});
`;
