/** Why a request or a connection was refused: apps get these texts. */
export const messages = {
  noKey: "The query has no valid apikey.",
  notWebSocket: "Connect with a WebSocket. If you do, a proxy in between doesn't pass on the header Upgrade.",
  onlyChanges: "Only postgres_changes are available here; broadcast and presence aren't.",
  invalidJoin: "The payload of phx_join isn't valid.",
  unknownTable: "Changes are available of the tables profiles and business_cards in the schema public.",
  unknownEvent: "The event must be INSERT, UPDATE, DELETE or *.",
  unknownFilter: "The filter must be user_id=eq.<id> or id=eq.<id>.",
  notJoined: "Join the channel first.",
  tooManyChannels: "A connection can have 100 channels.",
  noToken: "Sign in first: changes are only sent to the account that they belong to.",
  secondFactor: "Verify the second factor first.",
  token: {
    malformed: "The access token isn't valid.",
    expired: "The access token has expired.",
    ended: "The session has ended. Sign in again.",
  },
  interrupted: "Connect again: changes may have been missed.",
  malformed: "The message isn't one of the Phoenix protocol.",
  tooFast: "Too many messages are waiting.",
  idle: "No heartbeat arrived.",
  failed: "Something went wrong. Connect again.",
} as const;
