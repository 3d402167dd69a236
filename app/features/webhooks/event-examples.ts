import type { WebhookKind } from "./rules.ts";

type SampleOptions = { baseUrl: string; now: number };

const dayMs = 86_400_000;
const cardId = "2f6c1f0e-6d0c-4c58-9d3e-0c6f0a9c1b11";
const leadId = "9b1f4f3a-52b9-4a1e-8c7d-7e0f6f3d2a10";

/** `data` of an event as it is sent for a test, and as the documentation shows it. No one's real details. */
export function sampleContent(kind: WebhookKind, { baseUrl, now }: SampleOptions): Record<string, unknown> {
  const time = (ms: number) => new Date(ms).toISOString();
  switch (kind) {
    case "lead.created":
      return {
        id: leadId,
        card_id: cardId,
        source: "qr",
        name: "Grace Hopper",
        email: "grace@example.com",
        phone: "+1 202 555 0134",
        company: "Example Navy",
        title: null,
        website: null,
        note: "Call me after the fair.",
        answers: [{ question: "Which product?", answer: "The compiler" }],
        consents: [
          {
            purpose: "answer",
            version: 1,
            text: sampleConsent,
            text_sha256: sampleConsentHash,
            source: "form",
            given_at: time(now),
            withdrawn_at: null,
          },
        ],
        created_at: time(now),
        received_at: time(now),
        delete_after: time(now + 720 * dayMs),
        url: `${baseUrl}/leads/${leadId}`,
      };
    case "consent.withdrawn":
      return { lead_id: leadId, request: "erased" };
    case "card.saved":
      return { id: cardId, name: "Work", url: `${baseUrl}/c/h7k2m9x`, is_public: true, is_paused: false };
    case "contact.saved":
      return { card_id: cardId, source: "qr" };
    case "plan.changed":
      return { plan: "premium", ends_at: null };
  }
}

const sampleConsent = "Yes, you may store my details and use them to answer me.";
/** SHA-256 of that text. */
const sampleConsentHash = "45c63d0a57101863f574965efae8f70f36969507934ae74dc3e07316d1a91df6";
