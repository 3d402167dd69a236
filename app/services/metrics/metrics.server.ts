import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** How a job or a webhook ended: "failed" is tried again, "given-up" isn't. */
export type Outcome = "done" | "failed" | "given-up";

/**
 * What this process did since its start, for Prometheus. Names and units: https://prometheus.io/docs/practices/naming/. Without network
 * addresses, names and paths of people: a request counts by the first part of its path.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const requests = counter("meishi_http_requests_total", "Responses.", ["group", "status"]);
  const requestTimes = histogram(
    "meishi_http_request_duration_seconds",
    "Until the response begins; not those from the page cache.",
    ["group"],
  );
  const queries = histogram("meishi_database_query_duration_seconds", "Queries of the database.");
  const jobs = counter("meishi_jobs_total", "Runs of background jobs.", ["kind", "outcome"]);
  const jobTimes = counter("meishi_job_seconds_total", "Time that background jobs took.", ["kind"]);
  const webhooks = counter("meishi_webhook_attempts_total", "Requests to webhooks and connected services.", [
    "outcome",
  ]);
  const groups = new Set<string>();

  /** "/u/ada" -> "/u"; "other" where no route begins like that. */
  function groupOf(path: string): string {
    const end = path.indexOf("/", 1);
    const first = (end < 0 ? path : path.slice(0, end)).replace(/\.data$/, "");
    return groups.has(first) ? first : "other";
  }

  return {
    /** Adds the paths of routes, by which requests are counted. */
    addRoutes(paths: Iterable<string>) {
      for (const path of paths) {
        const [first = ""] = path.replace(/^\//, "").split("/");
        if (/^[\w.-]*$/.test(first)) groups.add(`/${first}`);
      }
    },
    noteRequest({ path, status, ms }: { path: string; status: number; ms: number }) {
      const group = groupOf(path);
      requests.inc({ group, status });
      requestTimes.observe({ group }, ms / 1_000);
    },
    noteCacheHit: ({ path, status }: { path: string; status: number }) =>
      requests.inc({ group: groupOf(path), status }),
    noteQuery: (ms: number) => queries.observe(ms / 1_000),
    noteJob({ kind, outcome, ms }: { kind: string; outcome: Outcome; ms: number }) {
      jobs.inc({ kind, outcome });
      jobTimes.inc({ kind }, ms / 1_000);
    },
    noteWebhook: (outcome: Outcome) => webhooks.inc({ outcome }),
    /** Adds numbers that are read each time the metrics are, by the value of a label. */
    addGauges(name: string, help: string, { label, read }: LabeledNumbers) {
      const collect = function collect(this: Gauge) {
        for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number);
      };
      registry.registerMetric(new Gauge({ name, help, labelNames: [label], registers: [], collect }));
    },
    /** The same for numbers that only grow. */
    addCounts(name: string, help: string, { label, read }: LabeledNumbers) {
      const collect = function collect(this: Counter) {
        this.reset();
        for (const [value, number] of Object.entries(read())) this.inc({ [label]: value }, number);
      };
      registry.registerMetric(new Counter({ name, help, labelNames: [label], registers: [], collect }));
    },
    /** Adds memory, processor time, open files and the delay of the event loop. They can't be stopped, so a process calls it once. */
    addProcessMetrics() {
      collectDefaultMetrics({ register: registry });
      // Gauges with names of counters, which `promtool check metrics` refuses. The same by type have other names.
      for (const name of ["handles", "requests", "resources"])
        registry.removeSingleMetric(`nodejs_active_${name}_total`);
    },
    /** As text: https://prometheus.io/docs/instrumenting/exposition_formats/ */
    read: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type LabeledNumbers = { label: string; read: () => Record<string, number> };

/** In seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
