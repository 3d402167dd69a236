import { clientKey, ClientRefusal, clientRoute } from "#app/services/client-api/client-route.server.ts";
import { isEqualText } from "#app/services/base/signed-token.server.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { messages } from "./messages.ts";
import { openConnection } from "./realtime-connection.server.ts";

const base = "/realtime/v1";
const path = `${base}/websocket`;

/** `/realtime/v1/websocket`: the changes of an account, for apps. Other requests below `/realtime/v1` get an explanation. */
export const feature: Feature = {
  sockets: [
    {
      path,
      open: (services) => ({
        accepts: ({ searchParams }) =>
          services.config.dataApi && isEqualText(searchParams.get("apikey") ?? "", clientKey(services)),
        connect: (socket, request) => openConnection(services, socket, request),
      }),
    },
  ],
  rawRoutes: [
    clientRoute({
      base,
      maxBytes: "streamed",
      toRefusal: (problem) =>
        problem === "internal" || problem === "unavailable"
          ? new ClientRefusal(503, { message: messages.failed })
          : new ClientRefusal(401, { message: problem === "no-key" ? messages.noKey : messages.token.malformed }),
      handle: async ({ c }) =>
        c.req.path === path
          ? Response.json({ message: messages.notWebSocket }, { status: 426, headers: { upgrade: "websocket" } })
          : Response.json({ message: messages.onlyChanges }, { status: 501 }),
    }),
  ],
};
