import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import type { JobHandler } from "#app/services/jobs/jobs.server.ts";

const modules = import.meta.glob<{ feature: Feature }>("../app/features/*/feature.server.ts", { eager: true });

/** All features, as each declares itself in its feature.server.ts. */
export const features: readonly Feature[] = Object.values(modules).map(({ feature }) => feature);

/** The features' job handlers by kind. `services` is called when a job runs. Throws when two features declare the same kind. */
export function listJobHandlers(
  features: readonly Feature[],
  services: () => Services,
): Readonly<Record<string, JobHandler>> {
  const handlers = new Map<string, JobHandler>();
  for (const [kind, run] of features.flatMap(({ jobs }) => Object.entries(jobs ?? {}))) {
    if (handlers.has(kind)) throw new Error(`Two features declare jobs of the kind "${kind}".`);
    handlers.set(kind, (payload) => run(services(), payload));
  }
  return Object.fromEntries(handlers);
}

/** Subscribes the features to events. */
export function subscribeFeatures(features: readonly Feature[], services: Services): void {
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

/** Starts the features' own work, such as self-checks. `stop` ends it. */
export function startFeatures(features: readonly Feature[], services: Services): { stop(): Promise<void> } {
  const running = features.flatMap(({ start }) => start?.(services) ?? []);
  return {
    stop: async () => {
      await Promise.all(running.map((work) => work.stop()));
    },
  };
}
