import { DefinitionList } from "./docs-elements.tsx";

/** `GET /events`, for programs. */
export function LiveEvents() {
  return (
    <>
      <h2 id="events">Live events</h2>
      <p>
        <code>GET /events</code> sends what happens in your account as server-sent events, each as soon as it happens. A
        program sends the token of a session as <code>Authorization: Bearer</code>. The data of an event is JSON with
        IDs: request the rest.
      </p>
      <DefinitionList rows={eventRows} />
      <p>
        A comment every 25 seconds keeps the connection open. When it is lost, connect again after 1, 2, 5 and then
        every 10 seconds, and send the last <code>id</code> as <code>Last-Event-ID</code>: you first get what you
        missed. <code>reload</code> says that events may be missing, so request everything again.{" "}
        <code>signed-out</code> is the last event: the session has ended.
      </p>
    </>
  );
}

const eventRows = [
  ["lead.created", "A visitor shared their contact. Has leadId and cardId."],
  [
    "visit",
    "Someone opened your profile or a card. Comes at most once a second, without data, and isn’t repeated after a lost connection.",
  ],
  ["card.saved", "A card was saved. Has cardId."],
  ["card.deleted", "A card was deleted. Has cardId."],
  ["profile.saved", "Your profile was saved."],
  ["plan.changed", "Your plan changed."],
  ["pass.updated", "The wallet pass of a card was updated. Has cardId."],
  [
    "account.changed",
    "The password or email was changed, or you confirmed that it’s you. Has event, as in the security log.",
  ],
] as const;
