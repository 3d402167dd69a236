import { expect, test, vi } from "vitest";

import { saveChat } from "#app/features/lead-notices/chat/chat-data.server.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { openChatServer } from "#tests/support/providers/chat-server.ts";

test("chats that never answer don't make mails wait", async () => {
  await using chat = await openChatServer();
  const { services, signedIn } = await createTestApp({ allowedOrigins: [chat.origin] });
  const owners: string[] = [];
  for (let n = 0; n < 5; n++) owners.push(await userIdOf(await signedIn(`owner-${n}@example.com`)));
  chat.answerNext(...owners.map(() => () => undefined));
  for (const ownerId of owners) {
    const origin = { headers: new Headers() };
    await saveChat(services, { ownerId, url: chat.url, timing: "now", hour: 12, origin });
    await insertLead(services, { id: ownerId, ownerId, now: Date.now(), lead: {}, text: servicesText });
  }
  services.jobs.start();
  await vi.waitFor(() => expect(chat.messages).toHaveLength(2), { timeout: 5_000 });
  await services.jobs.enqueue(services.db, "mail", { to: "grace@example.com", subject: "Your code", text: "123456" });
  const recipients = async () => (await services.mail.listStored()).map(({ to }) => to);
  await vi.waitFor(async () => expect(await recipients()).toContain("grace@example.com"), { timeout: 5_000 });
});
