/** What the documentation has to know of the product and of this installation, so that its limits and examples are those of the code. */
export type DocsFacts = {
  /** Where the examples lead. */
  baseUrl: string;
  profile: string;
  card: string;
  /** Whether the examples' profile and card are there: the samples, where DEMO is on. */
  hasSamples: boolean;
  isApiBuilt: boolean;
  hasPasses: boolean;
  qr: { smallest: number; largest: number; usual: number; logos: readonly string[]; leastContrast: number };
  preview: { width: number; height: number };
  face: {
    parts: Readonly<Record<string, readonly string[]>>;
    bounds: Readonly<Record<string, { min: number; max: number }>>;
    backgroundTypes: readonly string[];
    longestSeed: number;
    longestList: number;
    usualPng: number;
    largestPng: number;
  };
  /** How large a form, one of the editors, and a file may be, in bytes. */
  largest: { form: number; editor: number; file: number };
  /** So many in so many minutes. */
  limits: Readonly<Record<"failedSignIns" | "signUps" | "mails" | "uploads" | "imports" | "messages", Rate>>;
};

export type Rate = { max: number; minutes: number };
