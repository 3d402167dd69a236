import * as fs from "node:fs";
import { promisify } from "node:util";

/**
 * A file as a stream. Reading goes on from the file that was opened, also when another one takes its place or it is removed meanwhile.
 * Undefined for what is no file; throws when there is none.
 *
 * By descriptors, not by FileHandle: Node ends the process when one of those is lost, as a body that nobody reads may be. What fits into
 * one piece is read at once, and leaves nothing open.
 */
export async function openToRead(place: string) {
  const file = await open(place, "r");
  try {
    const stats = await stat(file);
    const size = stats.isFile() ? stats.size : undefined;
    if (size === undefined || size <= AT_ONCE) {
      const body = size === undefined ? undefined : await readPiece(file, size);
      await close(file);
      return body && { size: body.length, body: streamOf(body) };
    }
    return { size, body: bodyOf(file) };
  } catch (error) {
    await close(file);
    throw error;
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

function bodyOf(file: number): ReadableStream<Uint8Array> {
  let isReading = false;
  let isOver = false;
  async function end() {
    isOver = true;
    // A descriptor that is closed while it is read may be another file's by then.
    if (!isReading) await close(file);
  }
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    isReading = true;
    const piece = await readPiece(file, PIECE).catch(async (error: unknown) => {
      await close(file);
      throw error;
    });
    isReading = false;
    if (isOver) return close(file);
    if (piece.length > 0) return controller.enqueue(piece);
    await end();
    controller.close();
  }
  return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
}

async function readPiece(file: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await read(file, buffer, 0, length, null);
  return buffer.subarray(0, bytesRead);
}

const open = promisify(fs.open);
const stat = promisify(fs.fstat);
const read = promisify(fs.read);
const close = promisify(fs.close);

const AT_ONCE = 262_144;
const PIECE = 65_536;
