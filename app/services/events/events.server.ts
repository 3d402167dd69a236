import { randomUUID } from "node:crypto";

import type { Logger } from "pino";

import type { Bus, BusMessage } from "#app/services/bus/bus.server.ts";
import { afterCommit, transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import type { Jobs } from "#app/services/jobs/jobs.server.ts";
import { deleteRenderedPages } from "#app/services/pages/rendered-page-rows.server.ts";

import { createDelivery } from "./delivery.server.ts";
import { domainEvent, pageEventKinds } from "./event.ts";
import type { DomainEvent, EventKind, NewEvent } from "./event.ts";
import { insertEvent } from "./outbox.server.ts";

export type Events = {
  /**
   * Records an event in the transaction of its write; one of `pageEventKinds` makes the owner's stored pages out of date. When `transact` returns, the
   * `everywhere` subscribers of this process have been called.
   */
  record: (trx: Trx, event: NewEvent) => Promise<void>;
  subscribe: (subscriber: EventSubscriber) => void;
  /** Looks every second for events that another process didn't deliver, because it was killed or can't reach the others. */
  start: () => void;
  /** Delivers such events now. While the bus is down they wait. */
  deliverWaiting: () => Promise<void>;
  stop: () => Promise<void>;
};

export type EventSubscriber = { name: string; kinds: readonly EventKind[] | "all" } & (Everywhere | Once);

/** Runs in every process, at least once for each event. */
type Everywhere = {
  everywhere: (event: DomainEvent) => void;
  /** Events of any kind and owner may have been missed. */
  missed: () => void;
};

/** Runs in one process, in a transaction that also marks the event as handled. */
type Once = { once: (event: DomainEvent, trx: Trx) => Promise<void> };

type EventsDeps = { db: Db; engine: Engine; bus: Bus; jobs: Jobs; clock: () => number; log: Logger };

/** Domain events in the table `event`, an outbox: a process that is killed after a commit loses none. */
export function createEvents({ db, engine, bus, jobs, clock, log }: EventsDeps): Events {
  const everywhere: (EventSubscriber & Everywhere)[] = [];
  const once: EventSubscriber[] = [];
  const { announce, start, deliverWaiting, stop } = createDelivery({ db, engine, bus, clock, log, notify });
  bus.subscribe(notify);

  async function record(trx: Trx, change: NewEvent) {
    const event = { ...change, id: randomUUID() };
    await insertEvent(trx, event, clock());
    if (pageEventKinds.includes(event.kind)) {
      await trx.updateTable("profile").set({ pages_version: event.id }).where("owner_id", "=", event.ownerId).execute();
      await deleteRenderedPages(trx, event.ownerId);
    }
    for (const subscriber of once) if (concerns(subscriber, event)) await jobs.enqueue(trx, jobKind(subscriber), event);
    afterCommit(trx, () => {
      notify(event);
      void announce(event.id, event);
    });
  }

  function subscribe(subscriber: EventSubscriber) {
    if ("everywhere" in subscriber) {
      everywhere.push(subscriber);
      return;
    }
    once.push(subscriber);
    jobs.handle(jobKind(subscriber), (payload, { finish }) =>
      transact(db, async (trx) => {
        if (await finish(trx)) await subscriber.once(domainEvent.parse(payload), trx);
      }),
    );
  }

  /** A subscriber that fails keeps neither the write from succeeding nor the others from running. */
  function notify(message: BusMessage) {
    for (const subscriber of everywhere) {
      try {
        if (message.kind === "messages-missed") subscriber.missed();
        else if (concerns(subscriber, message)) subscriber.everywhere(message);
      } catch (error) {
        log.error({ err: error, subscriber: subscriber.name, kind: message.kind }, "a subscriber of events failed");
      }
    }
  }

  return { record, subscribe, start, deliverWaiting, stop };
}

function concerns({ kinds }: EventSubscriber, { kind }: DomainEvent): boolean {
  return kinds === "all" || kinds.includes(kind);
}

function jobKind({ name }: EventSubscriber): string {
  return `event:${name}`;
}
