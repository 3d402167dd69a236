import type { Services } from "#app/services/http/context.ts";

/** Counts the queries of an app from now on. `isCounted` gets each as JSON. */
export function countQueries(services: Services, isCounted: (query: string) => boolean = () => true) {
  const queries = { count: 0 };
  const counted = new WeakSet();
  services.db = services.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (isCounted(JSON.stringify(node))) counted.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (counted.has(queryId)) queries.count += 1;
      return result;
    },
  });
  return queries;
}
