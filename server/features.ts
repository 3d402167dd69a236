import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { maintenanceJob, runTaskNow } from "./maintenance.ts";

const modules = import.meta.glob<{ feature: Feature }>("../app/features/**/feature.server.ts", { eager: true });

/** All features, as each declares itself in its feature.server.ts. */
export const features: readonly Feature[] = Object.values(modules).map(({ feature }) => feature);

/** Registers the features' job handlers and subscribers. Throws when two features declare the same kind of job. */
export function connectFeatures(features: readonly Feature[], services: Services): void {
  for (const { jobs = {}, slowJobs = {} } of features) {
    for (const [kind, run] of Object.entries(jobs)) services.jobs.handle(kind, (...job) => run(services, ...job));
    for (const [kind, run] of Object.entries(slowJobs))
      services.jobs.handle(kind, (...job) => run(services, ...job), { isSlow: true });
  }
  services.jobs.handle(maintenanceJob, (...job) => runTaskNow(features, services, job));
  subscribeFeatures(features, services);
}

function subscribeFeatures(features: readonly Feature[], services: Services): void {
  for (const subscriber of features.flatMap(({ subscribers }) => subscribers ?? [])) {
    const { name, kinds } = subscriber;
    services.events.subscribe(
      "once" in subscriber
        ? { name, kinds, once: (event, trx) => subscriber.once(services, event, trx) }
        : {
            name,
            kinds,
            everywhere: (event) => subscriber.everywhere(services, event),
            missed: () => subscriber.missed(services),
          },
    );
  }
}

/** For a command, which runs no jobs: its events add those of the `once` subscribers, and the running program runs them. */
export function addSubscribedJobs(features: readonly Feature[], events: Services["events"]): void {
  for (const subscriber of features.flatMap(({ subscribers }) => subscribers ?? [])) {
    const { name, kinds } = subscriber;
    if ("once" in subscriber) events.subscribe({ name, kinds, once: () => Promise.reject(new Error("no jobs here")) });
  }
}

/** Starts the features' own work, such as self-checks. `stop` ends it. */
export function startFeatures(features: readonly Feature[], services: Services): { stop(): Promise<void> } {
  const running = features.flatMap(({ start }) => start?.(services) ?? []);
  return {
    stop: async () => {
      await Promise.all(running.map((work) => work.stop()));
    },
  };
}
