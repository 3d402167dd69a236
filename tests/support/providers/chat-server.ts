import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

type ChatMessage = { path: string; type: string; text: string };

/**
 * A chat's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): JSON with a `text`, answered with
 * "ok". `answerNext` replaces the next answers, one each. `await using` closes it.
 */
export async function openChatServer() {
  const messages: ChatMessage[] = [];
  const answers: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { text: message }: { text: string } = JSON.parse(body);
      messages.push({ path: request.url ?? "", type: request.headers["content-type"] ?? "", text: message });
      const answer = answers.shift() ?? ((ok: ServerResponse) => ok.end("ok"));
      answer(response);
    });
  });
  const port = await listenAnywhere(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    messages,
    answerNext: (...next: ((response: ServerResponse) => void)[]) => void answers.push(...next),
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/services/T1/B1/secretsecret`,
    [Symbol.asyncDispose]: close,
  };
}
