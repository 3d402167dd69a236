import { clientRoute } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import type { Feature } from "#app/services/features/feature.ts";

import {
  respondToList,
  respondToRemove,
  respondToSign,
  respondToUpload,
  respondWithInfo,
  respondWithOwn,
  respondWithPublic,
  respondWithSigned,
} from "./object-request.server.ts";
import { refusal, toRefusal } from "./object-response.server.ts";

/** `rest` is the path after the one here. */
type Respond = (call: ClientCall, rest: string) => Promise<Response>;

/** The paths below /storage/v1, in the dialect of the specification's client. Of two that match, the first counts. */
const routes: [method: string, path: string, respond: Respond][] = [
  ["GET", "/object/public/", respondWithPublic],
  ["GET", "/object/sign/", respondWithSigned],
  ["GET", "/object/info/", respondWithInfo],
  ["GET", "/object/", respondWithOwn],
  ["POST", "/object/list/", respondToList],
  ["POST", "/object/sign/", respondToSign],
  ["POST", "/object/", respondToUpload],
  ["PUT", "/object/", respondToUpload],
  ["DELETE", "/object/", respondToRemove],
];

function findRoute(path: string, given: string) {
  const method = given === "HEAD" ? "GET" : given;
  return routes.find((route) => route[0] === method && path.startsWith(route[1]));
}

export const feature: Feature = {
  rawRoutes: [
    clientRoute({
      base: "/storage/v1",
      maxBytes: (path, method) => (findRoute(path, method)?.[2] === respondToUpload ? "streamed" : 100_000),
      isSlow: true,
      isWithoutKey(path, method) {
        const respond = findRoute(path, method)?.[2];
        return respond === respondWithPublic || respond === respondWithSigned;
      },
      toRefusal,
      async handle(call) {
        const [, start = "", respond] = findRoute(call.path, call.method) ?? [];
        if (!respond) throw refusal(404, "This API has no such path.");
        return respond(call, call.path.slice(start.length));
      },
    }),
  ],
};
