import type { Logger } from "pino";

import type { Bus, BusMessage } from "#app/services/bus/bus.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import { domainEvent } from "./event.ts";
import { claimEvents, deleteEvents, deleteEventsBefore } from "./outbox.server.ts";

type DeliveryDeps = {
  db: Db;
  engine: Engine;
  bus: Bus;
  clock: () => number;
  log: Logger;
  /** Calls the subscribers of this process. */
  notify: (message: BusMessage) => void;
};

/** Takes committed events to the other processes, and deletes them from the table. */
export function createDelivery({ db, engine, bus, clock, log, notify }: DeliveryDeps) {
  const announcements = new Set<Promise<boolean>>();
  let delivered: string[] = [];
  let cleanup: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polled = Promise.resolve();
  let sweepAt = 0;
  let isStopped = false;

  /** Sends the event to the other processes, and deletes it later. If they can't be reached, it stays and false is returned. */
  function announce(id: string, message: BusMessage): Promise<boolean> {
    const announcement = send(id, message).finally(() => announcements.delete(announcement));
    announcements.add(announcement);
    return announcement;
  }

  async function send(id: string, message: BusMessage) {
    const isSent = await bus.publish(message);
    if (!isSent) return false;
    delivered.push(id);
    if (!isStopped) cleanup ??= setTimeout(() => void deleteDelivered(), cleanupDelayMs);
    return true;
  }

  /** Many at a time, and not while a request waits. What can't be deleted is delivered again. */
  async function deleteDelivered() {
    clearTimeout(cleanup);
    cleanup = undefined;
    const ids = delivered;
    delivered = [];
    if (ids.length === 0) return;
    try {
      await deleteEvents({ db, engine }, ids);
    } catch (error) {
      log.warn({ err: error }, "delivered events can't be deleted from the database");
    }
  }

  async function deliverWaiting() {
    const now = clock();
    if (now >= sweepAt) {
      sweepAt = now + sweepMs;
      await deleteEventsBefore(db, now - maxAgeMs);
    }
    if (!bus.isLive()) return;
    for (const { id, payload } of await claimEvents(db, { before: now - graceMs, now, until: now + leaseMs })) {
      const message = readEvent(id, payload);
      notify(message);
      // The rest is claimed again after the lease.
      if (!(await announce(id, message))) return;
    }
  }

  /** What isn't readable may be about anything. */
  function readEvent(id: string, payload: string): BusMessage {
    try {
      return domainEvent.parse(JSON.parse(payload));
    } catch (error) {
      log.error({ err: error, event: id }, "an event can't be read");
      return { kind: "messages-missed" };
    }
  }

  function poll(delayMs: number) {
    timer = setTimeout(() => {
      polled = deliverWaiting()
        .catch((error: unknown) => log.error({ err: error }, "events can't be read from the database"))
        .finally(() => {
          if (!isStopped) poll(pollMs);
        });
    }, delayMs);
  }

  async function stop() {
    isStopped = true;
    clearTimeout(timer);
    await polled;
    await Promise.all(announcements);
    await deleteDelivered();
  }

  return { announce, start: () => poll(0), deliverWaiting, stop };
}

const pollMs = 1000;
/** The process that recorded an event delivers it long before. */
const graceMs = 2000;
const leaseMs = 10_000;
const cleanupDelayMs = 1000;
const sweepMs = 60 * 60_000;
/** Without notifications between processes, which drop what they have cached when those arrive again, events would be stored forever. */
const maxAgeMs = 24 * 60 * 60_000;
