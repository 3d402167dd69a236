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

test("a chat that asks to come back at once is asked again after a minute", async () => {
  await using chat = await openChatServer();
  const time = { now: Date.UTC(2026, 10, 23, 11) };
  const { services, signedIn } = await createTestApp({ clock: () => time.now, allowedOrigins: [chat.origin] });
  const ownerId = await userIdOf(await signedIn());
  const origin = { headers: new Headers() };
  await saveChat(services, { ownerId, url: chat.url, timing: "now", hour: 12, origin });
  for (const wait of ["1", "0"])
    chat.answerNext((response) => void response.writeHead(429, { "retry-after": wait }).end());
  await insertLead(services, { id: "lead", ownerId, now: time.now, lead: {}, text: servicesText });
  for (let second = 0; second < 60; second += 10) {
    await services.jobs.runDue();
    time.now += 9_900;
  }
  expect(chat.messages).toHaveLength(1);
  time.now += 1_000;
  await services.jobs.runDue();
  expect(chat.messages).toHaveLength(2);
});
