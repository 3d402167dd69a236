import type { Page, Word, Worker as Engine } from "tesseract.js";

import type { CardLine } from "#app/features/scanner/fields/card-text.ts";

import { withAccent } from "./accent-rules.ts";
import { withDots } from "./dot-rules.ts";
import { loadEngine } from "./engine-client.ts";
import type { LoadProgress } from "./engine-client.ts";
import { toPgm } from "./image-rules.ts";
import type { GrayImage } from "./image-rules.ts";
import type { ImageTask, PreparedImages } from "./image-worker.ts";

export type ReadingProgress = ({ step: "loading" } & LoadProgress) | { step: "reading"; share: number };

/** Why an image wasn't read. */
export type ReadingFailure =
  | "not-an-image"
  | "heic"
  | "no-text"
  | "no-webassembly"
  | "out-of-memory"
  | "offline"
  | "failed";

export type ReadingResult = { lines: CardLine[] } | { failure: ReadingFailure } | "canceled";

export type CardReader = ReturnType<typeof createCardReader>;

/** Reads images of cards on this device. The engine is loaded for the first one. */
export function createCardReader() {
  let engine: Promise<Engine> | undefined;
  let report: (progress: ReadingProgress) => void = () => undefined;

  function stop() {
    void engine?.then((running) => running.terminate(), Boolean);
    engine = undefined;
  }

  async function recognize(image: ImageData, signal: AbortSignal): Promise<CardLine[]> {
    engine ??= loadEngine({
      signal,
      onLoad: (progress) => report({ step: "loading", ...progress }),
      onRead: (share) => report({ step: "reading", share }),
    });
    const [prepared, running] = await Promise.all([prepare(image, signal), engine]);
    report({ step: "reading", share: 0 });
    const upright = await readLines(running, prepared.upright);
    if (isReadable(upright)) return upright.lines;
    const turned = await readLines(running, prepared.turned);
    return (turned.confidence > upright.confidence ? turned : upright).lines;
  }

  return {
    async read(file: Blob, { signal, onProgress }: ReadOptions): Promise<ReadingResult> {
      if (typeof WebAssembly !== "object") return { failure: "no-webassembly" };
      report = onProgress;
      try {
        const image = await decode(file);
        if (!image) return { failure: isHeic(file) ? "heic" : "not-an-image" };
        const lines = await untilAborted(recognize(image, signal), signal);
        return lines.length > 0 ? { lines } : { failure: "no-text" };
      } catch (error) {
        // It may be in the middle of an image, or not be loaded completely.
        stop();
        return signal.aborted ? "canceled" : { failure: failureOf(error) };
      }
    },
    stop,
  };
}

type ReadOptions = { signal: AbortSignal; onProgress: (progress: ReadingProgress) => void };

/** Rejects when `signal` is aborted: the engine doesn't answer any more once it is stopped. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new DOMException("canceled", "AbortError")));
    work.then(resolve, reject);
  });
}

/** The longer side of what is read, in pixels: text of 7 points on a card that fills half of it is still 20 pixels high. */
const longestSide = 1_600;

/** The image as its EXIF orientation says, made smaller; undefined for a file that the browser can't show. */
async function decode(file: Blob): Promise<ImageData | undefined> {
  const bitmap = await createImageBitmap(file).then(
    (decoded) => decoded,
    () => undefined,
  );
  if (!bitmap) return undefined;
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new RangeError("The browser has no memory for a image.");
  context.imageSmoothingQuality = "high";
  // Transparent images are on white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

function prepare({ width, height, data }: ImageData, signal: AbortSignal): Promise<PreparedImages> {
  const worker = new Worker(new URL("./image-worker.ts", import.meta.url), { type: "module" });
  signal.addEventListener("abort", () => worker.terminate());
  const task: ImageTask = { width, height, data };
  return new Promise<PreparedImages>((resolve, reject) => {
    worker.addEventListener("message", ({ data: prepared }: MessageEvent<PreparedImages>) => resolve(prepared));
    // A script that can't be loaded has no message.
    worker.addEventListener("error", ({ message }) =>
      reject(message ? new Error(message) : new TypeError("not loaded")),
    );
    worker.postMessage(task, [data.buffer]);
  }).finally(() => worker.terminate());
}

type ReadLines = { lines: CardLine[]; confidence: number };

async function readLines(engine: Engine, image: GrayImage): Promise<ReadLines> {
  const { data } = await engine.recognize(new Blob([toPgm(image)]), {}, { blocks: true });
  return { lines: toLines(data, image), confidence: data.blocks?.length ? data.confidence : 0 };
}

/** Upside down, hardly a word is found. */
function isReadable({ lines, confidence }: ReadLines): boolean {
  return lines.length > 2 && confidence >= 70;
}

function toLines({ blocks }: Page, image: GrayImage): CardLine[] {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.map(({ confidence, rowAttributes, words: found }) => {
    const words = found.map((word) => ({ text: readWord(word, image), confidence: word.confidence }));
    return { text: words.map(({ text }) => text).join(" "), confidence, height: rowAttributes.rowHeight, words };
  });
}

/** Addresses and numbers have no accents. */
function readWord({ text, symbols }: Word, image: GrayImage): string {
  if (text.includes("@")) return withDots(symbols, image);
  if (/[@\d]|www|\.\w/i.test(text)) return text;
  return symbols.map((symbol) => withAccent(symbol.text, symbol.bbox, image)).join("");
}

function failureOf(error: unknown): ReadingFailure {
  // fetch rejects with a TypeError when there is no connection.
  if (error instanceof TypeError) return "offline";
  return error instanceof RangeError || /memory|Aborted\(/i.test(String(error)) ? "out-of-memory" : "failed";
}

/** What iPhones store, and few browsers show. */
function isHeic(file: Blob): boolean {
  return /hei[cf]/i.test(file.type) || (file instanceof File && /\.hei[cf]$/i.test(file.name));
}
