import { createSendQueue } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { addEndpoint, showSecret } from "#app/features/webhooks/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { servicesText } from "#tests/support/database/leads.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

export const origin = { headers: new Headers() };

/** Another process that sends webhooks, and nothing else. `clock`: the time on which all processes agree. */
export function openSender(services: Services, clock = services.clock) {
  const jobs = createJobs({ ...services, clock, handlers: {} });
  jobs.addQueue(createSendQueue(services));
  return jobs;
}

/** An owner with an endpoint on a server of the test. */
export async function openWebhook(answer?: Parameters<typeof openHookServer>[0]) {
  const hooks = await openHookServer(answer);
  // Libraries compare the time of a message with the real one.
  const owner = await openOwner({ allowedOrigins: [hooks.origin], now: Date.now() });
  const { services, ownerId, time } = owner;
  const kinds = ["lead.created", "consent.withdrawn", "card.saved", "contact.saved", "plan.changed"] as const;
  const id = (await addEndpoint(services, { ownerId, url: `${hooks.origin}/in`, kinds, origin })) ?? "";
  const secret = (await showSecret(services, { ownerId, id, origin })) ?? "";
  // It has answered before.
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 0 }).execute();
  const sender = { runDue: () => services.jobs.runDue("webhooks") };
  const record = async (
    event: Parameters<typeof services.events.record>[1] = { kind: "plan.changed", ownerId },
  ): Promise<void> => {
    await transact(services.db, (trx) => services.events.record(trx, event));
    await services.jobs.runDue("jobs");
  };
  /** Records an event and sends what is due. */
  const recordAndSend = async (event?: Parameters<typeof record>[0]) => {
    await record(event);
    await sender.runDue();
  };
  const share = async (text = servicesText) => {
    const details = { name: "Grace", email: "grace@example.com", email_key: "grace@example.com", card_id: "card-1" };
    const leadId = await owner.share(details, text);
    await services.jobs.runDue("jobs");
    return leadId;
  };
  const sendFor = async (ms: number, step: number) => {
    for (let passed = 0; passed < ms; passed += step) {
      time.now += step;
      await sender.runDue();
    }
  };
  const log = () => services.db.selectFrom("webhook_delivery").selectAll().orderBy("created_at").execute();
  const endpoints = () => services.db.selectFrom("webhook_endpoint").selectAll().execute();
  const stored = async () => {
    const attempts = await services.db.selectFrom("webhook_attempt").selectAll().execute();
    return [...(await endpoints()), ...(await log()), ...attempts];
  };
  const records = { record, recordAndSend, share, sendFor };
  return { ...owner, ...hooks, id, secret, sender, ...records, log, endpoints, stored };
}
