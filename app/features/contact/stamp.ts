type Sign = (purpose: string, text: string) => string;

/** A moment (epoch milliseconds) that we signed and gave away: when a form was made, or its message sent. */
export function makeStamp(sign: Sign, purpose: StampPurpose, at: number): string {
  return `${at}.${sign(`contact ${purpose}`, String(at))}`;
}

/** The moment in a stamp of ours; undefined for anything else. */
export function readStamp(sign: Sign, purpose: StampPurpose, stamp: string): number | undefined {
  const [digits = ""] = stamp.split(".", 1);
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  return stamp === makeStamp(sign, purpose, Number(digits)) ? Number(digits) : undefined;
}

export type StampPurpose = "form" | "sent";
