/** A line as the reader found it. Confidences are from 0 to 100. */
export type CardLine = {
  text: string;
  confidence: number;
  /** The height of its letters, in pixels. */
  height: number;
  words: readonly { text: string; confidence: number }[];
};

/** What a rule proposes for a field, and from which part of which line. */
export type Proposal = { value: string; confidence: number; line: CardLine; read: string };

/** The lowest confidence of the words of a line that are part of a value: one wrong word makes it wrong. */
export function confidenceOf({ words, confidence }: CardLine, value: string): number {
  const parts = value.split(/\s+/);
  const used = words.filter(({ text }) => parts.some((part) => part === text || text.includes(part)));
  return used.length > 0 ? Math.min(...used.map((word) => word.confidence)) : confidence;
}
