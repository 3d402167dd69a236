import { serviceWorker } from "./service-worker.ts";

/** At the root, because a worker only sees what lies beside it and below. Browsers ask for it anew at least once a day. */
export function loader() {
  return new Response(serviceWorker, {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      // A worker's own requests are ruled by the policy that it came with.
      "content-security-policy": "default-src 'none'; connect-src 'self'",
    },
  });
}
