import { once } from "node:events";
import { connect } from "node:net";

/** A connection on which a test says byte for byte what a broken or an evil client would. `ended` resolves once it is closed by either side. */
export async function openRaw(port: number) {
  const socket = connect({ port, host: "127.0.0.1" });
  let answer = "";
  socket.on("data", (part) => (answer += part.toString("latin1")));
  // Cut off while more is on its way, a connection ends in a reset: that is no fault.
  socket.on("error", () => socket.destroy());
  const ended = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
  });
  await once(socket, "connect");

  /** Waits while the other side takes no more; false when it has closed. */
  async function send(data: string | Uint8Array): Promise<boolean> {
    if (socket.destroyed || !socket.writable) return false;
    if (!socket.write(data)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
    return !socket.destroyed;
  }

  return {
    send,
    ended,
    answer: () => answer,
    /** The status line's number, 0 while there is none. */
    status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0),
    close: () => socket.destroy(),
  };
}
