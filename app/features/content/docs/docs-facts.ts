/** Facts about the product and this installation, read from the code so that the documentation states its real limits. */
export type DocsFacts = {
  /** The site that the examples request. */
  baseUrl: string;
  /** The public key of apps; undefined where they are turned off. */
  clientKey: string | undefined;
  profile: string;
  card: string;
  /** Whether the examples' profile and card exist: the samples, when DEMO is on. */
  hasSamples: boolean;
  /** Whether this installation makes wallet passes. */
  hasPasses: boolean;
  hasBilling: boolean;
  qr: { smallest: number; largest: number; usual: number; logos: readonly string[]; leastContrast: number };
  preview: { width: number; height: number };
  avatar: {
    parts: Readonly<Record<string, readonly string[]>>;
    bounds: Readonly<Record<string, { min: number; max: number }>>;
    backgroundTypes: readonly string[];
    longestSeed: number;
    longestList: number;
    usualPng: number;
    largestPng: number;
  };
  webhooks: WebhookFacts;
  /** The largest form, editor form and file, in bytes. */
  largest: { form: number; editor: number; file: number };
  /** Limits per time window. */
  limits: Readonly<
    Record<"failedSignIns" | "signUps" | "mails" | "uploads" | "cards" | "imports" | "messages", PublishedLimit>
  >;
};

/** What webhooks send. */
export type WebhookFacts = {
  events: readonly { kind: string; when: string; properties: readonly string[] }[];
  /** The body of a message, formatted. */
  sample: string;
  /** How often a message is attempted, within how many hours. */
  attempts: number;
  hours: number;
};

export type PublishedLimit = { max: number; minutes: number };
