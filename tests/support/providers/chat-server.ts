import type { ServerResponse } from "node:http";

import { openHookServer } from "./hook-server.ts";

/**
 * A chat's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): JSON with a `text`, answered with
 * "ok". `answerNext` replaces the next answers, one each. `await using` closes it.
 */
export async function openChatServer() {
  const messages: { path: string; type: string; text: string }[] = [];
  const answers: ((response: ServerResponse) => void)[] = [];
  const { origin, stopListening } = await openHookServer((response, { path, headers, body }) => {
    const { text }: { text: string } = JSON.parse(body);
    messages.push({ path, type: headers["content-type"] ?? "", text });
    const answer = answers.shift();
    if (answer) answer(response);
    else response.end("ok");
  });
  return {
    messages,
    answerNext: (...next: typeof answers) => void answers.push(...next),
    origin,
    url: `${origin}/services/T1/B1/secretsecret`,
    [Symbol.asyncDispose]: async () => stopListening(),
  };
}
