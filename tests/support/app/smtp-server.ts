import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { SMTPServer } from "smtp-server";

/** A mail server that accepts everything; `received` are the raw mails. By default on a free port. `await using` closes it. */
export async function openSmtpServer(atPort = 0) {
  const received: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      buffer(stream).then((mail) => {
        received.push(mail);
        done();
      }, done);
    },
  });
  // A program that ends in the middle of a mail is no fault of the test: the mail isn't in `received`.
  server.on("error", () => undefined);
  const listening = server.listen(atPort, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return { received, url: `smtp://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}
